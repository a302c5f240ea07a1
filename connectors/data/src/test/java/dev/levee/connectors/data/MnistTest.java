package dev.levee.connectors.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.levee.connectors.data.Datasets.Split;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Real digits, where there are any: the system property {@code levee.data} or the environment
 * variable {@code LEVEE_DATA} names a folder that holds {@code mnist/} in IDX.
 */
class MnistTest {
    @Test
    void nearestCentroidGetsFourOutOfFive() {
        String data = System.getProperty("levee.data", System.getenv("LEVEE_DATA"));
        assumeTrue(data != null, "needs real data: neither levee.data nor LEVEE_DATA is set");
        Path folder = Path.of(data, "mnist");
        assumeTrue(Files.isDirectory(folder), "needs real data: there is no " + folder);
        Dataset train = Datasets.open("idx:" + folder, Split.TRAIN);
        Dataset test = Datasets.open("idx:" + folder, Split.TEST);
        assertThat(train.shape()).containsExactly(1, 28, 28);
        assertThat(train.classes()).isEqualTo(10);
        assertThat(NearestCentroid.accuracy(train, test)).isCloseTo(0.80, within(0.03));
    }
}
