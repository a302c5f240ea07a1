package dev.levee.federated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.data.Partition;
import dev.levee.federated.devices.Capabilities;
import dev.levee.federated.devices.Census;
import dev.levee.federated.devices.Coverage;
import dev.levee.federated.devices.Devices;
import dev.levee.federated.devices.Sampling;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Arrays;

/**
 * What balanced sampling is for, at FeGAN's setting: 80 devices of its engine, of which a round
 * asks two; over eight draws of the engine.
 */
class BalanceTest {
    private static final int DRAWS = 8;
    private static final int CLASSES = 200;
    private static final int DEVICES = 80;

    private static Census census(int maxClass, long seed) {
        int[] labels = new int[CLASSES * 500];
        Arrays.setAll(labels, i -> i % CLASSES);
        int[][] shares =
                Partition.parse("fegan(max_class=" + maxClass + ",max_samples=500)")
                        .deal(labels, CLASSES, DEVICES, seed);
        int[][] counts = new int[DEVICES][CLASSES];
        for (int device = 0; device < DEVICES; device++) {
            for (int sample : shares[device]) {
                counts[device][labels[sample]]++;
            }
        }
        return Census.of(counts);
    }

    /** Rounds until 95 % of the classes were seen, and the divergence after ten. */
    private static double[] run(Sampling sampling, Census census, long seed) {
        Coverage coverage = new Coverage(census);
        Devices devices = new Devices(census, Capabilities.parse("equal").draw(DEVICES, seed));
        int[] sampled = new int[DEVICES];
        double divergence = Double.NaN;
        int covered = 0;
        for (int round = 0; covered == 0 || round < 10; round++) {
            int[] asked =
                    sampling.sample(new Sampling.Request(devices, 2, 1, sampled, seed, round));
            for (int device : asked) {
                sampled[device]++;
            }
            coverage.add(asked);
            covered = covered == 0 && coverage.most() ? round + 1 : covered;
            divergence = round == 9 ? coverage.divergence() : divergence;
        }
        return new double[] {covered, divergence};
    }

    @ParameterizedTest
    @CsvSource({"200, 4.0, 3.0", "40, 3.5, 2.3"})
    void coversClassesSooner(int maxClass, double sooner, double closer) {
        double[] balanced = new double[2];
        double[] uniform = new double[2];
        for (long seed = 1; seed <= DRAWS; seed++) {
            Census census = census(maxClass, seed);
            add(balanced, run(Sampling.parse("balanced"), census, seed));
            add(uniform, run(Sampling.parse("uniform"), census, seed));
        }
        assertThat(uniform[0] / balanced[0]).isGreaterThan(sooner);
        assertThat(uniform[1] / balanced[1]).isGreaterThan(closer);
    }

    private static void add(double[] sum, double[] more) {
        sum[0] += more[0];
        sum[1] += more[1];
    }
}
