package dev.levee.learners;

import java.util.Arrays;

/**
 * The mean gradient of a batch that is computed in several passes, each over a part of the samples
 * (gradient accumulation). Passes are added in order, so the bits depend only on how the batch is
 * divided. They do not depend on which other coordinates are added in the same call.
 */
public final class GradientMean {
    /** Difference between the seeds of two passes. The first pass has the batch's seed. */
    private static final long SEED_STEP = 0x9E3779B97F4A7C15L;

    private final int[] ends;
    private float[] values;
    private double loss;
    private int passes;

    /**
     * Creates an empty mean.
     *
     * @param ends for each pass, one past its last sample, as {@link #ends} returns them
     */
    public GradientMean(int[] ends) {
        this.ends = ends.clone();
    }

    /**
     * Divides a batch evenly.
     *
     * @param size samples of the batch
     * @param passes number of passes, from 1 to {@code size}
     * @return for each pass, one past the index of its last sample
     */
    public static int[] ends(int size, int passes) {
        int[] ends = new int[passes];
        Arrays.setAll(ends, pass -> (int) ((long) size * (pass + 1) / passes));
        return ends;
    }

    /** The seed of a pass, given the seed of its batch. */
    public static long seed(long seed, int pass) {
        return seed + pass * SEED_STEP;
    }

    /**
     * Adds the next pass.
     *
     * @param next mean gradient of the pass's samples, followed by the new buffers; this object
     *     takes over the array
     * @param nextLoss mean loss of the pass's samples
     * @return an array of the same length that the caller may reuse; null after the first pass
     */
    public float[] add(float[] next, double nextLoss) {
        int from = passes == 0 ? 0 : ends[passes - 1];
        int to = ends[passes];
        int size = ends[ends.length - 1];
        passes++;
        // With one pass, the bits must be the same as without passes.
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

    /** Returns the mean of all passes. All of them must have been added. */
    public Gradient mean() {
        if (passes != ends.length) {
            throw new IllegalStateException(
                    "%d of %d passes have been added".formatted(passes, ends.length));
        }
        return new Gradient(values, loss);
    }
}
