package dev.levee.learners.layers;

import dev.levee.learners.internal.djl.script.TorchScript;

import java.util.Arrays;

/**
 * A network of the user's, in a TorchScript file, by whose outputs sets of images can be compared:
 * an Inception-v3 without its last layer, for instance, with what scales images for it in front.
 *
 * @param path the path of the file, on a file system that Flink knows
 * @param image shape of an image: channels, height, width
 */
public record FeatureFile(String path, int[] image) {
    /** Images that a file is tried on. */
    private static final int TRIED = 2;

    /** Checks the shape. */
    public FeatureFile {
        image = image.clone();
    }

    /**
     * Opens a file and tries it.
     *
     * @param path the path of a module that turns images, (n, channels, height, width) with pixels
     *     of 0 to 1, into (n, features)
     * @throws IllegalArgumentException if it is none; one sentence
     */
    public static FeatureFile of(String path, int[] image) {
        FeatureFile file = new FeatureFile(path, image);
        int pixels = Arrays.stream(image).reduce(1, Math::multiplyExact);
        try (Forward features = file.newFeatures()) {
            features.outputs(new float[TRIED * pixels], TRIED);
        }
        return file;
    }

    /** Its name in results: the file's own name. */
    public String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** Computes features of images; the caller closes it. */
    public Forward newFeatures() {
        return TorchScript.forward(path, image);
    }
}
