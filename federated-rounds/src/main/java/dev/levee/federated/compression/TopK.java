package dev.levee.federated.compression;

import dev.levee.learners.Layout;

import java.util.Arrays;

/**
 * Sends the largest values of a change by magnitude, and the first of equal ones. The device keeps
 * the others and adds them to its next change (Stich, Cordonnier, Jaggi, "Sparsified SGD with
 * Memory", NeurIPS 2018).
 *
 * @param share share of the values that is sent, at least one value
 */
public record TopK(double share) implements Compression {
    static final double SHARE = 0.01;

    /**
     * Checks the share.
     *
     * @throws IllegalArgumentException if it is not above 0 and at most 1; one sentence
     */
    public TopK {
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException(
                    "topk needs a share above 0 and at most 1, got " + share);
        }
    }

    @Override
    public String name() {
        return "topk(share=%s)".formatted(share);
    }

    private int count(int trainable) {
        return (int) Math.min(trainable, Math.max(1, Math.round(share * trainable)));
    }

    /**
     * Four bytes for each value, and either four for each value's index or one bit for each
     * coordinate.
     */
    @Override
    public long bytes(Layout layout) {
        long count = count(layout.trainable());
        long bits = -Math.floorDiv(-layout.trainable(), Byte.SIZE);
        return Float.BYTES * count + Math.min(Integer.BYTES * count, bits);
    }

    @Override
    public void apply(Change change) {
        float[] whole = change.withResidual();
        int count = count(whole.length);
        int[] magnitudes = new int[whole.length];
        Arrays.setAll(magnitudes, i -> Float.floatToIntBits(Math.abs(whole[i])));
        int[] sorted = magnitudes.clone();
        Arrays.sort(sorted);
        int least = sorted[sorted.length - count];
        int ties = count - (int) Arrays.stream(sorted).filter(each -> each > least).count();
        for (int i = 0; i < whole.length; i++) {
            boolean sent = magnitudes[i] > least || magnitudes[i] == least && ties-- > 0;
            change.values()[i] = sent ? whole[i] : 0;
        }
        change.keepResidual(whole);
    }
}
