package dev.levee.jobs.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.connectors.data.ArrayDataset;
import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a run could not be evaluated on is refused before it starts. */
class RunDataTest {
    @Test
    void testSamplesThatAreMissingAreNamed(@TempDir Path folder) throws IOException {
        write(folder, "train", 4);
        assertThatThrownBy(() -> RunData.checkTest("idx:" + folder))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("--dataset: ")
                .hasMessageContaining("t10k-");
    }

    @Test
    void testSamplesOfAnotherShapeAreRefused(@TempDir Path folder) throws IOException {
        write(folder, "train", 4);
        write(folder, "t10k", 3);
        assertThatThrownBy(() -> RunData.checkTest("idx:" + folder))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "--dataset: training samples have the shape [1, 4, 4] and classes,"
                                + " test samples have the shape [1, 3, 3] and classes");
    }

    @Test
    void samplesThatAreAlikeAreTaken(@TempDir Path folder) throws IOException {
        write(folder, "train", 4);
        assertThat(RunData.open("idx:" + folder).size()).isEqualTo(2);
        write(folder, "t10k", 4);
        RunData.checkTest("idx:" + folder);
    }

    @Test
    void testSamplesMayLackClassesButHaveNoOthers() {
        Dataset two = ofClasses(2);
        Dataset three = ofClasses(3);
        RunData.checkAlike("python:net.py", three, two);
        assertThatThrownBy(() -> RunData.checkAlike("python:net.py", two, three))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "--dataset: training samples have 2 classes, but test samples have 3: set"
                                + " classes = 3 in the Python file");
    }

    private static Dataset ofClasses(int classes) {
        float[][] one = {{1}};
        return new ArrayDataset(one, new int[1], new int[] {1}, classes);
    }

    @Test
    void samplesWithTargetsAreDealtWithoutClasses() {
        Dataset data =
                Datasets.open(
                        Datasets.inline(new float[][] {{1}, {2}}, new float[][] {{3}, {4}}),
                        Datasets.Split.TRAIN);
        RunData.checkClasses(data, "natural", null);
        assertThatThrownBy(() -> RunData.checkClasses(data, "by-class", null))
                .hasMessageContaining("use iid or natural");
    }

    /** Two square images of classes 0 and 1, as MNIST has them. */
    private static void write(Path folder, String name, int side) throws IOException {
        try (DataOutputStream images = open(folder, name + "-images-idx3-ubyte");
                DataOutputStream labels = open(folder, name + "-labels-idx1-ubyte")) {
            images.writeInt(0x803);
            images.writeInt(2);
            images.writeInt(side);
            images.writeInt(side);
            images.write(new byte[2 * side * side]);
            labels.writeInt(0x801);
            labels.writeInt(2);
            labels.write(new byte[] {0, 1});
        }
    }

    private static DataOutputStream open(Path folder, String name) throws IOException {
        return new DataOutputStream(Files.newOutputStream(folder.resolve(name)));
    }
}
