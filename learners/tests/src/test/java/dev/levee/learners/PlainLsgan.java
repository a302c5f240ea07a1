package dev.levee.learners;

import java.util.Arrays;

/**
 * The network {@code lsgan} for 8×8 images with a width of 8, written out once more with plain
 * loops in double precision, as lsgan.py of PyTorch-GAN computes it. Masks of its dropout layers
 * are handed in.
 */
final class PlainLsgan {
    static final int LATENT = 3;
    private static final int SIDE = 8;
    private static final double EPSILON = 0.8;

    private final Layout layout;
    private final double[] parameters;

    PlainLsgan(Layout layout, double[] parameters) {
        this.layout = layout;
        this.parameters = parameters;
    }

    private double[] tensor(String name) {
        Segment segment =
                layout.segments().stream()
                        .filter(each -> each.name().equals(name))
                        .findFirst()
                        .orElseThrow();
        return Arrays.copyOfRange(
                parameters, segment.offset(), segment.offset() + segment.length());
    }

    /** Images of a batch of noise, in training mode: sample by sample, values from −1 to 1. */
    double[][] generate(double[][] noise) {
        double[] weight = tensor("generator.l1.0.weight");
        double[] bias = tensor("generator.l1.0.bias");
        double[][] values = new double[noise.length][bias.length];
        for (int s = 0; s < noise.length; s++) {
            for (int o = 0; o < bias.length; o++) {
                values[s][o] = bias[o];
                for (int i = 0; i < LATENT; i++) {
                    values[s][o] += weight[o * LATENT + i] * noise[s][i];
                }
            }
        }
        values = convolve(upsample(values, 8, 2), "generator.conv_blocks.1", 8, 4, 1);
        values = leaky(normalise(values, "generator.conv_blocks.2", 8));
        values = convolve(upsample(values, 8, 4), "generator.conv_blocks.5", 8, SIDE, 1);
        values = leaky(normalise(values, "generator.conv_blocks.6", 4));
        values = convolve(values, "generator.conv_blocks.8", 4, SIDE, 1);
        for (double[] sample : values) {
            Arrays.setAll(sample, i -> Math.tanh(sample[i]));
        }
        return values;
    }

    /**
     * What the discriminator says of images.
     *
     * @param masks by block, sample and channel: 0, or what a kept channel is multiplied by
     */
    double[] judge(double[][] images, double[][][] masks) {
        double[][] values = images;
        int inputs = 1;
        int side = SIDE;
        String[] convolutions = {"0", "3", "7", "11"};
        String[] norms = {null, "6", "10", "14"};
        for (int block = 0; block < convolutions.length; block++) {
            String name = "discriminator.model." + convolutions[block];
            values = leaky(convolve(values, name, inputs, side, 2));
            side = (side + 1) / 2;
            inputs = 1 << block;
            for (int s = 0; s < values.length; s++) {
                for (int i = 0; i < values[s].length; i++) {
                    values[s][i] *= masks[block][s][i / (side * side)];
                }
            }
            if (norms[block] != null) {
                values = normalise(values, "discriminator.model." + norms[block], inputs);
            }
        }
        double[] weight = tensor("discriminator.adv_layer.weight");
        double[] answers = new double[values.length];
        for (int s = 0; s < answers.length; s++) {
            answers[s] = tensor("discriminator.adv_layer.bias")[0];
            for (int i = 0; i < weight.length; i++) {
                answers[s] += weight[i] * values[s][i];
            }
        }
        return answers;
    }

    /** Mean of (answer − target)². */
    static double squares(double[] answers, double target) {
        return Arrays.stream(answers).map(a -> (a - target) * (a - target)).average().orElseThrow();
    }

    private static double[][] leaky(double[][] values) {
        for (double[] sample : values) {
            Arrays.setAll(sample, i -> sample[i] > 0 ? sample[i] : 0.2 * sample[i]);
        }
        return values;
    }

    private static double[][] upsample(double[][] values, int channels, int side) {
        int large = 2 * side;
        double[][] result = new double[values.length][channels * large * large];
        for (int s = 0; s < values.length; s++) {
            for (int i = 0; i < result[s].length; i++) {
                int c = i / (large * large);
                int y = i / large % large;
                int x = i % large;
                result[s][i] = values[s][(c * side + y / 2) * side + x / 2];
            }
        }
        return result;
    }

    /** 3×3, one zero on each side. */
    private double[][] convolve(double[][] values, String name, int inputs, int side, int stride) {
        double[] weight = tensor(name + ".weight");
        double[] bias = tensor(name + ".bias");
        int small = (side - 1) / stride + 1;
        double[][] result = new double[values.length][bias.length * small * small];
        for (int s = 0; s < values.length; s++) {
            for (int i = 0; i < result[s].length; i++) {
                int o = i / (small * small);
                double sum = bias[o];
                for (int c = 0; c < inputs; c++) {
                    for (int k = 0; k < 9; k++) {
                        int y = i / small % small * stride + k / 3 - 1;
                        int x = i % small * stride + k % 3 - 1;
                        if (y >= 0 && y < side && x >= 0 && x < side) {
                            sum +=
                                    weight[(o * inputs + c) * 9 + k]
                                            * values[s][(c * side + y) * side + x];
                        }
                    }
                }
                result[s][i] = sum;
            }
        }
        return result;
    }

    /** By the batch's own mean and biased variance. */
    private double[][] normalise(double[][] values, String name, int channels) {
        double[] weight = tensor(name + ".weight");
        double[] bias = tensor(name + ".bias");
        int pixels = values[0].length / channels;
        double[][] result = new double[values.length][values[0].length];
        for (int c = 0; c < channels; c++) {
            double mean = 0;
            double square = 0;
            for (double[] sample : values) {
                for (int i = c * pixels; i < (c + 1) * pixels; i++) {
                    mean += sample[i] / (values.length * pixels);
                    square += sample[i] * sample[i] / (values.length * pixels);
                }
            }
            double scale = weight[c] / Math.sqrt(square - mean * mean + EPSILON);
            for (int s = 0; s < values.length; s++) {
                for (int i = c * pixels; i < (c + 1) * pixels; i++) {
                    result[s][i] = (values[s][i] - mean) * scale + bias[c];
                }
            }
        }
        return result;
    }
}
