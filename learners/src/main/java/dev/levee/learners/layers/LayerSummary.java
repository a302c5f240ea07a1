package dev.levee.learners.layers;

/**
 * Facts about a layer that follow from shapes alone.
 *
 * @param index from 0
 * @param name name of its last step, such as {@code layer4.1}
 * @param kind its kind, such as {@code residual}; with a plus sign between several steps
 * @param shape shape of its output for one sample
 * @param parameters number of trained coordinates
 */
public record LayerSummary(int index, String name, String kind, int[] shape, long parameters) {
    /** Bytes of its output for one sample, in float32. */
    public long bytes() {
        long values = 1;
        for (int extent : shape) {
            values *= extent;
        }
        return values * Float.BYTES;
    }
}
