package dev.levee.learners;

import java.util.Arrays;

/**
 * The mean gradient of a batch that is computed in passes, one part of the samples after another
 * (gradient accumulation). Passes are added in their order, so the bits depend on how the batch is
 * divided and on nothing else: a coordinate has the same bits whichever others are added with it.
 */
public final class GradientMean {
    /** Between seeds of passes; the first pass has the batch's own. */
    private static final long SEED_STEP = 0x9E3779B97F4A7C15L;

    private final int[] ends;
    private float[] values;
    private double loss;
    private int passes;

    /**
     * A mean over passes.
     *
     * @param ends the sample behind the last one of each pass, as {@link #ends} has them
     */
    public GradientMean(int[] ends) {
        this.ends = ends.clone();
    }

    /**
     * Divides a batch evenly.
     *
     * @param size samples of the batch
     * @param passes number of passes, from 1 to {@code size}
     * @return for each pass the index of the sample behind its last one
     */
    public static int[] ends(int size, int passes) {
        int[] ends = new int[passes];
        Arrays.setAll(ends, pass -> (int) ((long) size * (pass + 1) / passes));
        return ends;
    }

    /** The seed of a pass of a batch with this seed. */
    public static long seed(long seed, int pass) {
        return seed + pass * SEED_STEP;
    }

    /**
     * Adds the next pass.
     *
     * @param next mean gradient of its samples, followed by the new buffers; taken over
     * @param nextLoss mean loss of its samples
     * @return an array of that length that is not read any more; null after the first pass
     */
    public float[] add(float[] next, double nextLoss) {
        int from = passes == 0 ? 0 : ends[passes - 1];
        int to = ends[passes];
        int size = ends[ends.length - 1];
        passes++;
        // A batch of one pass keeps the bits that it has without passes.
        loss += to - from == size ? nextLoss : nextLoss * (to - from) / size;
        if (values == null) {
            values = next;
            return null;
        }
        double share = (double) (to - from) / to;
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) ((1 - share) * values[i] + share * next[i]);
        }
        return next;
    }

    /** The mean of all passes; they must all have been added. */
    public Gradient mean() {
        if (passes != ends.length) {
            throw new IllegalStateException(
                    "%d of %d passes have been added".formatted(passes, ends.length));
        }
        return new Gradient(values, loss);
    }
}
