package dev.levee.operators.placement;

import dev.levee.operators.placement.algorithm.MSct;

/**
 * Options of a placement.
 *
 * @param fuse true if neighbors of one colocation group are placed as one operator
 * @param coplace true if an operator joins the group of its only reader
 * @param reserve true if m-ETF and m-SCT reserve the memory of a colocation group when they place
 *     it
 * @param threshold m-SCT's threshold for favorite children, above 0 and at most 1
 * @param microBatches number of parts into which the batch of a step is split, at least 1
 * @param order the order of forward and backward passes with several micro-batches
 */
public record PlacementOptions(
        boolean fuse,
        boolean coplace,
        boolean reserve,
        double threshold,
        int microBatches,
        PipelineOrder order) {
    /** The default: fusing only, with the threshold of Baechi's code. */
    public static final PlacementOptions DEFAULT =
            new PlacementOptions(
                    true, false, false, MSct.DEFAULT_THRESHOLD, 1, PipelineOrder.GPIPE);

    public PlacementOptions {
        if (!(threshold > 0 && threshold <= 1)) {
            throw new IllegalArgumentException(
                    "--threshold must be above 0 and at most 1, got " + threshold);
        }
        if (microBatches < 1) {
            throw new IllegalArgumentException(
                    "--micro-batches must be at least 1, got " + microBatches);
        }
    }

    /** These options with reservation. */
    public PlacementOptions reserving() {
        return new PlacementOptions(fuse, coplace, true, threshold, microBatches, order);
    }

    /** These options with micro-batches. */
    public PlacementOptions withMicroBatches(int count, PipelineOrder other) {
        return new PlacementOptions(fuse, coplace, reserve, threshold, count, other);
    }
}
