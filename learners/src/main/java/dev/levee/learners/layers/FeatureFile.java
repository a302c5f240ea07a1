package dev.levee.learners.layers;

import dev.levee.learners.internal.djl.script.TorchScript;

import java.util.Arrays;

/**
 * A user's network in a TorchScript file whose outputs are features with which sets of images can
 * be compared. An example is an Inception-v3 without its last layer, after a step that scales
 * images for it.
 *
 * @param path the path of the file, on a file system that Flink supports
 * @param image shape of an image: channels, height, width
 */
public record FeatureFile(String path, int[] image) {
    /** Number of images with which a file is tried. */
    private static final int TRIED = 2;

    /** Checks the shape. */
    public FeatureFile {
        image = image.clone();
    }

    /**
     * Opens a file and tries it.
     *
     * @param path the path of a module that turns images of shape (n, channels, height, width),
     *     with pixels from 0 to 1, into features of shape (n, features)
     * @throws IllegalArgumentException if it is not such a module; one sentence
     */
    public static FeatureFile of(String path, int[] image) {
        FeatureFile file = new FeatureFile(path, image);
        int pixels = Arrays.stream(image).reduce(1, Math::multiplyExact);
        try (Forward features = file.newFeatures()) {
            features.outputs(new float[TRIED * pixels], TRIED);
        }
        return file;
    }

    /** The name of the features in results, which is the file's name. */
    public String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** Opens a forward pass that computes features of images; the caller closes it. */
    public Forward newFeatures() {
        return TorchScript.forward(path, image);
    }
}
