package dev.levee.learners;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.levee.connectors.data.Batch;
import dev.levee.learners.internal.Noise;
import dev.levee.learners.internal.network.CounterRandom;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.stream.IntStream;

/** A step's gradients are the slopes of both losses, as plain loops compute them. */
@Tag("native")
class AdversarialGradientTest {
    private static final int BATCH = 6;
    private static final int PIXELS = 64;
    private static final long SEED = 11;

    private final GenerativeModel model =
            (GenerativeModel) Models.open("lsgan:width=8,latent=3", new int[] {1, 8, 8}, 2);
    private final float[] parameters = larger(model);
    private final Batch batch = batch();

    /** Initial values are so small that slopes would drown in rounding. */
    private static float[] larger(GenerativeModel model) {
        float[] values = model.initialParameters(4);
        for (int i = 0; i < model.layout().trainable(); i++) {
            values[i] *= 8;
        }
        return values;
    }

    private static Batch batch() {
        float[] pixels = new float[BATCH * PIXELS];
        long key = CounterRandom.key(2, "pixels");
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = (float) CounterRandom.uniform(key, i);
        }
        return new Batch(pixels, new int[BATCH]);
    }

    private static double[][] rows(float[] values, int width) {
        double[][] rows = new double[values.length / width][width];
        for (int i = 0; i < values.length; i++) {
            rows[i / width][i % width] = values[i];
        }
        return rows;
    }

    /** Those of a pass, of which a step has four: the generator's, then three of the other. */
    private static double[][][] masks(int pass) {
        String[] layers = {"2", "5", "9", "13"};
        double[][][] masks = new double[layers.length][BATCH][];
        for (int block = 0; block < layers.length; block++) {
            String name = "discriminator.model." + layers[block];
            long key = CounterRandom.key(SEED + pass, name);
            int channels = 1 << block;
            for (int s = 0; s < BATCH; s++) {
                masks[block][s] = new double[channels];
                for (int c = 0; c < channels; c++) {
                    double drawn = CounterRandom.uniform(key, (long) s * channels + c);
                    masks[block][s][c] = drawn < 0.75 ? (float) (1 / 0.75) : 0;
                }
            }
        }
        return masks;
    }

    private double[] moved(int coordinate, double by) {
        double[] values = new double[parameters.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = parameters[i] + (i == coordinate ? by : 0);
        }
        return values;
    }

    private double[][] noise() {
        return rows(Noise.normal(SEED, BATCH * PlainLsgan.LATENT), PlainLsgan.LATENT);
    }

    /** The mean of (D(G(z)) − 1)². */
    private double generatorLoss(double[] values) {
        PlainLsgan plain = new PlainLsgan(model.layout(), values);
        return PlainLsgan.squares(plain.judge(plain.generate(noise()), masks(1)), 1);
    }

    /** Half of the loss on real images and half of that on images that do not change. */
    private double discriminatorLoss(double[] values) {
        PlainLsgan plain = new PlainLsgan(model.layout(), values);
        double[][] fakes = new PlainLsgan(model.layout(), moved(0, 0)).generate(noise());
        double[][] real = rows(batch.features(), PIXELS);
        for (double[] sample : real) {
            for (int i = 0; i < sample.length; i++) {
                sample[i] = 2 * sample[i] - 1;
            }
        }
        return PlainLsgan.squares(plain.judge(real, masks(2)), 1) / 2
                + PlainLsgan.squares(plain.judge(fakes, masks(3)), 0) / 2;
    }

    @Test
    void bothAreTheSlopesOfTheirOwnLoss() {
        Gradient gradient;
        try (Learner learner = model.newLearner()) {
            gradient = learner.gradient(parameters, batch, SEED);
        }
        // Processors round sums of floats differently, by some units in the last place.
        assertThat(gradient.loss())
                .isCloseTo(
                        generatorLoss(moved(0, 0)) + discriminatorLoss(moved(0, 0)),
                        withinPercentage(2e-4));
        int generator = model.generator().trained();
        double step = 1e-5;
        double largest = 0;
        int[] coordinates =
                IntStream.range(0, model.layout().trainable()).filter(i -> i % 7 == 0).toArray();
        for (int i : coordinates) {
            double slope =
                    i < generator
                            ? generatorLoss(moved(i, step)) - generatorLoss(moved(i, -step))
                            : discriminatorLoss(moved(i, step))
                                    - discriminatorLoss(moved(i, -step));
            slope /= 2 * step;
            assertThat((double) gradient.values()[i])
                    .as("coordinate %d", i)
                    .isCloseTo(slope, within(1e-4 + 2e-3 * Math.abs(slope)));
            largest = Math.max(largest, Math.abs(slope));
        }
        assertThat(largest).isGreaterThan(0.01);
    }
}
