package dev.levee.federated.compression;

import dev.levee.gar.Draws;
import dev.levee.learners.Layout;

/**
 * QSGD (Alistarh, Grubic, Li, Tomioka, Vojnovic, "QSGD: Communication-Efficient SGD via Gradient
 * Quantization and Encoding", NeurIPS 2017, section 3.1): in each bucket of values, |v|/‖v‖ is
 * rounded at random to one of the two next multiples of 1/s, so that its expectation is v. Levels
 * are coded with a fixed number of bits.
 *
 * @param levels s
 * @param bucket number of values that share a norm
 */
public record Quantization(int levels, int bucket) implements Compression {
    static final int LEVELS = 15;
    static final int BUCKET = 512;

    @Override
    public String name() {
        return "qsgd(levels=%d, bucket=%d)".formatted(levels, bucket);
    }

    /**
     * The size of a norm for each bucket, and of a sign and a level in whole bits for each value.
     */
    @Override
    public long bytes(Layout layout) {
        long values = layout.trainable();
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(levels) + 1;
        return Float.BYTES * -Math.floorDiv(-values, (long) bucket)
                + -Math.floorDiv(-values * bits, (long) Byte.SIZE);
    }

    @Override
    public void apply(Change change) {
        int trainable = change.layout().trainable();
        for (int from = 0; from < trainable; from += bucket) {
            quantize(change, from, Math.min(trainable, from + bucket));
        }
    }

    /** Quantizes a bucket; does not change values that are not finite, which the server refuses. */
    private void quantize(Change change, int from, int to) {
        float[] values = change.values();
        double square = 0;
        for (int i = from; i < to; i++) {
            square += (double) values[i] * values[i];
        }
        double norm = Math.sqrt(square);
        if (!(norm > 0 && norm < Double.POSITIVE_INFINITY)) {
            return;
        }
        for (int i = from; i < to; i++) {
            double exact = Math.abs(values[i]) / norm * levels;
            double level = Math.floor(exact);
            level += Draws.uniform(change.key(), i) < exact - level ? 1 : 0;
            values[i] = (float) (Math.signum(values[i]) * norm * level / levels);
        }
    }
}
