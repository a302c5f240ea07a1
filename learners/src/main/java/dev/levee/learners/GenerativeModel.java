package dev.levee.learners;

/**
 * A generative adversarial network (Goodfellow et al., NeurIPS 2014): a generator, which makes
 * images out of noise, and a discriminator, which tells them from real ones, side by side in one
 * flat vector. Its learner's gradient is that of both losses at once, the discriminator's on the
 * batch that the generator's was computed on, so that a step along it is a step of the generator
 * and then one of the discriminator on what the generator made before it.
 *
 * <p>Pixels are values from 0 to 1.
 */
public interface GenerativeModel extends Model {
    /** Prefix of the names of the generator's tensors. */
    String GENERATOR = "generator";

    /** Prefix of the names of the discriminator's tensors. */
    String DISCRIMINATOR = "discriminator";

    /** Values of noise that an image is made of; standard normal. */
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
     * Images of the generator in evaluation mode (running statistics, no dropout), one after the
     * other. Image i of a seed is the same however many are asked for.
     *
     * @param parameters flat vector of both networks
     * @throws IllegalStateException if PyTorch cannot be loaded
     */
    float[] generate(float[] parameters, int count, long seed);
}
