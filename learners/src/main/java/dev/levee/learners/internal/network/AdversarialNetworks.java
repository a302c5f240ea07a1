package dev.levee.learners.internal.network;

import dev.levee.learners.GenerativeModel;

import java.util.ArrayList;
import java.util.List;

/** The built-in pairs of a generator and a discriminator. */
public final class AdversarialNetworks {
    private static final String G = GenerativeModel.GENERATOR + ".";
    private static final String D = GenerativeModel.DISCRIMINATOR + ".";

    /** The smallest extent of images for which a network has its published width by default. */
    private static final int LARGE = 32;

    private static final double SLOPE = 0.2;
    private static final double KEEP = 0.75;

    /** Initial values of kernels (Radford et al., ICLR 2016, section 4). */
    private static final InitialValues KERNEL = new InitialValues.Normal(0.02);

    private static final InitialValues SCALE = new InitialValues.NormalAround(1, 0.02);

    private AdversarialNetworks() {}

    /** The default width: that of the published network, or a quarter of it for small images. */
    public static int lsganWidth(int[] image) {
        return image.length == 3 && image[1] >= LARGE ? 128 : 32;
    }

    /** The default width. */
    public static int dcganWidth(int[] image) {
        return image.length == 3 && image[1] >= LARGE ? 64 : 16;
    }

    /**
     * The networks of FeGAN's experiments (thesis, section 6.3), which come from lsgan.py of the
     * collection PyTorch-GAN. For images of 1×32×32, a width of 128 and 100 noise values, the
     * generator has 1,049,729 parameters and the discriminator has 98,113. As in lsgan.py, batch
     * normalization has ε = 0.8. Tensors have the names from lsgan.py after the name of their
     * network.
     *
     * @param width number of channels of the generator's first layer, a multiple of 8
     */
    public static AdversarialPair lsgan(int[] image, int width, int latent, AdversarialLoss loss) {
        int extent = square("lsgan", image, 4);
        checkWidth("lsgan", width, 8);
        int start = extent / 4;
        int half = width / 2;
        List<Layer> generator = new ArrayList<>();
        int features = Math.multiplyExact(width, start * start);
        InitialValues dense = new InitialValues.Uniform(1 / Math.sqrt(latent));
        generator.add(new Dense(G + "l1.0", latent, features, dense, dense));
        generator.add(new Activation.Unflatten(G + "view", width, start, start));
        generator.add(new Activation.Upsample(G + "conv_blocks.0", 2));
        generator.add(convolution(G + "conv_blocks.1", width, width, 3, 1));
        generator.add(new Normalisation.Batch(G + "conv_blocks.2", width, 0.8, SCALE));
        generator.add(new Activation.LeakyRelu(G + "conv_blocks.3", SLOPE));
        generator.add(new Activation.Upsample(G + "conv_blocks.4", 2));
        generator.add(convolution(G + "conv_blocks.5", width, half, 3, 1));
        generator.add(new Normalisation.Batch(G + "conv_blocks.6", half, 0.8, SCALE));
        generator.add(new Activation.LeakyRelu(G + "conv_blocks.7", SLOPE));
        generator.add(convolution(G + "conv_blocks.8", half, image[0], 3, 1));
        generator.add(new Activation.Tanh(G + "conv_blocks.9"));

        List<Layer> discriminator = new ArrayList<>();
        int channels = image[0];
        int side = extent;
        for (int outputs = width / 8; outputs <= width; outputs *= 2) {
            String place = D + "model.";
            discriminator.add(convolution(place + discriminator.size(), channels, outputs, 3, 2));
            discriminator.add(new Activation.LeakyRelu(place + discriminator.size(), SLOPE));
            discriminator.add(new Activation.ChannelDropout(place + discriminator.size(), KEEP));
            if (outputs > width / 8) {
                discriminator.add(
                        new Normalisation.Batch(place + discriminator.size(), outputs, 0.8, SCALE));
            }
            channels = outputs;
            side = (side + 1) / 2;
        }
        discriminator.add(new Activation.Flatten(D + "flatten"));
        int inputs = width * side * side;
        InitialValues last = new InitialValues.Uniform(1 / Math.sqrt(inputs));
        discriminator.add(new Dense(D + "adv_layer", inputs, 1, last, last));
        return new AdversarialPair("lsgan", image, latent, generator, discriminator, loss);
    }

    /**
     * DCGAN (Radford, Metz and Chintala, ICLR 2016) in which each transposed convolution is
     * replaced by an upsampling by two and a 3×3 convolution. Because of this difference, it has
     * its own name. The generator starts at the image's extent, halved as long as it is even and
     * above 7.
     *
     * @param width number of channels of the layer next to the image
     */
    public static AdversarialPair upsampleDcgan(
            int[] image, int width, int latent, AdversarialLoss loss) {
        int extent = square("upsample-dcgan", image, 2);
        checkWidth("upsample-dcgan", width, 1);
        int start = extent / 2;
        int steps = 1;
        while (start % 2 == 0 && start > 7) {
            start /= 2;
            steps++;
        }
        List<Layer> generator = new ArrayList<>();
        int channels = Math.multiplyExact(width, 1 << (steps - 1));
        int features = Math.multiplyExact(channels, start * start);
        generator.add(new Dense(G + "dense", latent, features, KERNEL, InitialValues.ZEROS));
        generator.add(new Activation.Unflatten(G + "view", channels, start, start));
        generator.add(new Normalisation.Batch(G + "norm0", channels, 1e-5, SCALE));
        generator.add(new Activation.Relu(G + "relu0"));
        for (int step = 1; step <= steps; step++) {
            boolean last = step == steps;
            int outputs = last ? image[0] : channels / 2;
            generator.add(new Activation.Upsample(G + "upsample" + step, 2));
            generator.add(plain(G + "conv" + step, channels, outputs, 3, 1, 1, last));
            if (!last) {
                generator.add(new Normalisation.Batch(G + "norm" + step, outputs, 1e-5, SCALE));
                generator.add(new Activation.Relu(G + "relu" + step));
            }
            channels = outputs;
        }
        generator.add(new Activation.Tanh(G + "tanh"));

        List<Layer> discriminator = new ArrayList<>();
        channels = image[0];
        for (int step = 1; step <= steps; step++) {
            int outputs = width << (step - 1);
            discriminator.add(plain(D + "conv" + step, channels, outputs, 4, 2, 1, step == 1));
            if (step > 1) {
                discriminator.add(new Normalisation.Batch(D + "norm" + step, outputs, 1e-5, SCALE));
            }
            discriminator.add(new Activation.LeakyRelu(D + "relu" + step, SLOPE));
            channels = outputs;
        }
        discriminator.add(new Activation.Flatten(D + "flatten"));
        int inputs = channels * start * start;
        discriminator.add(new Dense(D + "dense", inputs, 1, KERNEL, InitialValues.ZEROS));
        return new AdversarialPair("upsample-dcgan", image, latent, generator, discriminator, loss);
    }

    /** A convolution with the initial kernels of PyTorch-GAN and torch's initial biases. */
    private static Convolution convolution(
            String name, int inputs, int outputs, int kernel, int stride) {
        InitialValues bias =
                new InitialValues.Uniform(1 / Math.sqrt((double) inputs * kernel * kernel));
        return new Convolution(name, inputs, outputs, kernel, stride, kernel / 2, KERNEL, bias);
    }

    /** A convolution without a bias, which a layer before batch normalization does not need. */
    private static Convolution plain(
            String name,
            int inputs,
            int outputs,
            int kernel,
            int stride,
            int padding,
            boolean biased) {
        return new Convolution(
                name,
                inputs,
                outputs,
                kernel,
                stride,
                padding,
                KERNEL,
                biased ? InitialValues.ZEROS : null);
    }

    private static void checkWidth(String name, int width, int multiple) {
        if (width < multiple || width % multiple != 0) {
            throw new IllegalArgumentException(
                    "%s: width must be a multiple of %d, got %d".formatted(name, multiple, width));
        }
    }

    /** Height and width of the images, which must be equal. */
    private static int square(String name, int[] image, int multiple) {
        boolean fits =
                image.length == 3
                        && (image[0] == 1 || image[0] == 3)
                        && image[1] == image[2]
                        && image[1] % multiple == 0
                        && image[1] >= 8;
        if (!fits) {
            throw Architectures.wrongShape(
                    name, "(1, N, N) or (3, N, N) with N ≥ 8 a multiple of " + multiple, image);
        }
        return image[1];
    }
}
