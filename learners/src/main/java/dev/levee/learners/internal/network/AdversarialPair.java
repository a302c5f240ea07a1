package dev.levee.learners.internal.network;

import dev.levee.learners.Layout;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A generator and a discriminator.
 *
 * @param name the name for users
 * @param image shape of an image
 * @param latent number of noise values for an image
 * @param generator layers from noise to an image of values from −1 to 1; names begin with {@code
 *     generator.}
 * @param discriminator layers from such an image to one number, which is higher for images that
 *     look more real; names begin with {@code discriminator.}
 * @param loss the loss of both networks
 */
public record AdversarialPair(
        String name,
        int[] image,
        int latent,
        List<Layer> generator,
        List<Layer> discriminator,
        AdversarialLoss loss)
        implements Serializable {
    /**
     * Checks that the layers fit together.
     *
     * @throws IllegalArgumentException if a layer does not accept the output of the layer before it
     */
    public AdversarialPair {
        image = image.clone();
        generator = List.copyOf(generator);
        discriminator = List.copyOf(discriminator);
        int[] made = Network.outputOf(generator, new int[] {latent});
        int[] judged = Network.outputOf(discriminator, image);
        if (!Arrays.equals(made, image) || !Arrays.equals(judged, new int[] {1})) {
            throw new IllegalArgumentException(
                    "%s makes images of %s and judges those of %s by %s numbers"
                            .formatted(
                                    name,
                                    Arrays.toString(made),
                                    Arrays.toString(image),
                                    Arrays.toString(judged)));
        }
    }

    @Override
    public int[] image() {
        return image.clone();
    }

    private List<Layer> layers() {
        return Stream.concat(generator.stream(), discriminator.stream()).toList();
    }

    /** The layout of all tensors of both networks in one flat vector. */
    public Layout layout() {
        return Network.layout(layers());
    }

    /** Initial parameters; the same seed gives the same values. */
    public float[] initialParameters(long seed) {
        return Network.initialParameters(layers(), seed);
    }
}
