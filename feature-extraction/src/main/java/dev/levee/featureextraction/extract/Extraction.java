package dev.levee.featureextraction.extract;

import dev.levee.learners.layers.Cut;
import dev.levee.learners.layers.LayeredNetwork;
import dev.levee.learners.layers.Section;

/**
 * The properties that all requests of one training share, except for the parameters.
 *
 * @param network the whole network
 * @param cut the place where the network is cut: the layers before it are computed next to the
 *     store. With a cut before all layers, the store sends unchanged stored images
 * @param scaling how pixels become the network's input
 * @param microBatch images that pass through the layers together
 * @param mostImages images of the largest useful batch
 * @param encoding the encoding of features on the link
 * @param augmentation the requested view of the images
 */
public record Extraction(
        LayeredNetwork network,
        Cut cut,
        Scaling scaling,
        int microBatch,
        int mostImages,
        Encoding encoding,
        Augmentation augmentation) {
    /** An extraction of unchanged images, whose features are sent without loss. */
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

    /** True if the store sends unchanged stored images. */
    public boolean unsplit() {
        return cut.steps() == 0;
    }

    /** Bytes of the parameters before the cut. */
    public long parameterBytes() {
        return (long) Float.BYTES * prefix().layout().size();
    }

    /**
     * Memory per image of a batch in bytes: its input and its features. Intermediate values exist
     * for one micro-batch only. Stored images are not decoded, so they need the same memory in any
     * batch.
     */
    public long imageBytes() {
        return unsplit() ? 1 : network.bytes(network.start()) + network.bytes(cut);
    }

    /**
     * The largest payload of an answer, in bytes. Without a split, it is an estimate from the mean
     * size of the object's images.
     */
    public long answerBytes(FeatureRequest request) {
        return unsplit()
                ? request.storedBytes() + (long) Integer.BYTES * request.images()
                : encoding.mostBytes(request.images(), network.bytes(cut) / Float.BYTES);
    }

    /**
     * Memory that does not grow with the batch, in bytes: parameters, the largest input and output
     * of a layer for a micro-batch, and the answer, both as values or images and encoded.
     */
    public long fixedBytes(FeatureRequest request) {
        if (unsplit()) {
            return 2 * answerBytes(request);
        }
        long answer = request.images() * network.bytes(cut) + answerBytes(request);
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
