package dev.levee.learners.layers;

/**
 * Facts about a layer that follow from shapes alone.
 *
 * @param index the layer's index, from 0
 * @param name name of the layer's last step, such as {@code layer4.1}
 * @param kind the layer's kind, such as {@code residual}; several steps are joined by plus signs
 * @param shape shape of the output for one sample
 * @param parameters number of trained coordinates
 */
public record LayerSummary(int index, String name, String kind, int[] shape, long parameters) {
    /** Bytes of the output for one sample, in float32. */
    public long bytes() {
        long values = 1;
        for (int extent : shape) {
            values *= extent;
        }
        return values * Float.BYTES;
    }
}
