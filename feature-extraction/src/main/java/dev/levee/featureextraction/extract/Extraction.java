package dev.levee.featureextraction.extract;

import dev.levee.learners.layers.Cut;
import dev.levee.learners.layers.LayeredNetwork;
import dev.levee.learners.layers.Section;

/**
 * The properties that all requests of one training share, except for the parameters.
 *
 * @param network the whole network
 * @param cut what lies before it is computed next to the store; at the start nothing is, and stored
 *     images cross as they are
 * @param scaling how pixels become the network's input
 * @param microBatch images that go through the layers together
 * @param mostImages images of the largest batch that is of use
 * @param encoding how features cross the link
 * @param augmentation which view of the images is wanted
 */
public record Extraction(
        LayeredNetwork network,
        Cut cut,
        Scaling scaling,
        int microBatch,
        int mostImages,
        Encoding encoding,
        Augmentation augmentation) {
    /** Features of images as they are cross without loss. */
    public Extraction(
            LayeredNetwork network, Cut cut, Scaling scaling, int microBatch, int mostImages) {
        this(network, cut, scaling, microBatch, mostImages, Encoding.EXACT, Augmentation.NONE);
    }

    public Extraction {
        if (microBatch < 1 || mostImages < 1) {
            throw new IllegalArgumentException(
                    "batches must have at least 1 image, got %d and %d"
                            .formatted(microBatch, mostImages));
        }
    }

    /** The layers that run next to the store. */
    public Section prefix() {
        return network.section(network.start(), cut);
    }

    /** True if stored images cross as they are. */
    public boolean unsplit() {
        return cut.steps() == 0;
    }

    /** Bytes of the parameters before the cut. */
    public long parameterBytes() {
        return (long) Float.BYTES * prefix().layout().size();
    }

    /**
     * Bytes for each image of a batch: its input and features. Intermediate values exist for a
     * micro-batch only.
     */
    public long imageBytes() {
        return network.bytes(network.start()) + network.bytes(cut);
    }

    /**
     * Bytes that do not grow with the batch: parameters, the largest input and output of a layer
     * for a micro-batch, and the answer, which is there as values and encoded.
     *
     * @param images of the request
     */
    public long fixedBytes(int images) {
        long answer = 2L * images * network.bytes(cut);
        if (unsplit()) {
            return answer;
        }
        long largest = 0;
        for (int layer = 0; layer <= cut.layer(); layer++) {
            largest =
                    Math.max(
                            largest,
                            network.bytes(network.after(layer - 1))
                                    + network.bytes(network.after(layer)));
        }
        return parameterBytes() + largest * microBatch + answer;
    }
}
