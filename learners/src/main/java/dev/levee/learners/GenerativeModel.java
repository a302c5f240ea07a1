package dev.levee.learners;

/**
 * A generative adversarial network (Goodfellow et al., NeurIPS 2014). A generator makes images out
 * of noise, and a discriminator tells them from real images. Both networks are in one flat vector.
 * The learner computes the gradients of both losses at once. The discriminator's loss uses the
 * images that the generator made before the step, so one step along the gradient updates both
 * networks.
 *
 * <p>Pixels are values from 0 to 1.
 */
public interface GenerativeModel extends Model {
    /** Prefix of the names of the generator's tensors. */
    String GENERATOR = "generator";

    /** Prefix of the names of the discriminator's tensors. */
    String DISCRIMINATOR = "discriminator";

    /** Number of noise values from which an image is made; they are standard normal. */
    int latent();

    /** Shape of an image: channels, height, width. */
    int[] image();

    /** The range of the generator's parameters. */
    default NetworkRange generator() {
        return NetworkRange.of(layout(), GENERATOR);
    }

    /** The range of the discriminator's parameters. */
    default NetworkRange discriminator() {
        return NetworkRange.of(layout(), DISCRIMINATOR);
    }

    /**
     * Returns images of the generator in evaluation mode (running statistics, no dropout), one
     * after another. Image i of a seed does not depend on {@code count}.
     *
     * @param parameters flat vector of both networks
     * @throws IllegalStateException if PyTorch cannot be loaded
     */
    float[] generate(float[] parameters, int count, long seed);
}
