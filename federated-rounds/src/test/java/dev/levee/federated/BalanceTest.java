package dev.levee.federated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.data.Partition;

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

    private static double[] average(String sampling, int maxClass) {
        double rounds = 0;
        double divergence = 0;
        for (long seed = 1; seed <= DRAWS; seed++) {
            int[] labels = new int[CLASSES * 500];
            Arrays.setAll(labels, i -> i % CLASSES);
            int[][] shares =
                    Partition.parse("fegan(max_class=" + maxClass + ",max_samples=500)")
                            .deal(labels, CLASSES, 80, seed);
            int[][] counts = new int[80][CLASSES];
            for (int device = 0; device < 80; device++) {
                for (int sample : shares[device]) {
                    counts[device][labels[sample]]++;
                }
            }
            Census census = Census.of(counts);
            Coverage coverage = new Coverage(census);
            Devices devices = new Devices(census, Capabilities.parse("equal").draw(80, seed));
            int[] sampled = new int[80];
            int covered = 0;
            for (int round = 0; round < 1000 && (covered == 0 || round < 10); round++) {
                int[] asked =
                        Sampling.parse(sampling)
                                .sample(new Sampling.Request(devices, 2, 1, sampled, seed, round));
                for (int device : asked) {
                    sampled[device]++;
                }
                coverage.add(asked);
                if (covered == 0 && coverage.most()) {
                    covered = round + 1;
                }
                if (round == 9) {
                    divergence += coverage.divergence();
                }
            }
            rounds += covered == 0 ? 1000 : covered;
        }
        return new double[] {rounds / DRAWS, divergence / DRAWS};
    }

    @ParameterizedTest
    @CsvSource({"200, 4.0, 3.0", "40, 3.5, 2.3"})
    void coversClassesSooner(int maxClass, double sooner, double closer) {
        double[] balanced = average("balanced", maxClass);
        double[] uniform = average("uniform", maxClass);
        assertThat(uniform[0] / balanced[0]).isGreaterThan(sooner);
        assertThat(uniform[1] / balanced[1]).isGreaterThan(closer);
    }
}
