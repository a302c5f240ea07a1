package dev.levee.connectors.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.levee.connectors.data.Datasets.Split;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Arrays;

class CifarFilesTest {
    @TempDir Path folder;

    /** A picture of one color. */
    private static Bytes record(Bytes bytes, int label, int red, int green, int blue) {
        return bytes.add(label).fill(red, 1024).fill(green, 1024).fill(blue, 1024);
    }

    private void writeTraining() {
        for (int batch = 1; batch <= 5; batch++) {
            Bytes bytes = record(new Bytes(), batch, 51 * batch, 0, 255);
            Path file = folder.resolve("data_batch_" + batch + ".bin");
            Bytes.write(file, batch % 2 == 0 ? Bytes.gzip(bytes.get()) : bytes.get());
        }
    }

    @Test
    void readsFiveBatchesInOrder() {
        writeTraining();
        Dataset dataset = Datasets.open("cifar10:" + folder, Split.TRAIN);
        assertThat(dataset.shape()).containsExactly(3, 32, 32);
        assertThat(dataset.classes()).isEqualTo(10);
        Batch batch = dataset.batch(new int[] {0, 1, 2, 3, 4});
        assertThat(batch.labels()).containsExactly(1, 2, 3, 4, 5);
        assertThat(batch.features()[3072]).isEqualTo(0.4f);
        assertThat(batch.features()[3072 + 1023]).isEqualTo(0.4f);
        assertThat(batch.features()[3072 + 1024]).isEqualTo(0);
        assertThat(batch.features()[3072 + 2048]).isEqualTo(1);
    }

    @Test
    void standardizesEachChannelByTheTrainingPixels() {
        writeTraining();
        record(new Bytes(), 9, 153, 0, 0).to(folder.resolve("test_batch.bin"));
        String uri = "cifar10:" + folder + "?scale=standard";
        // Red is 0.2 to 1 with mean 0.6 and variance 0.08; green and blue have no variance.
        float[] first = Datasets.open(uri, Split.TRAIN).batch(new int[] {0}).features();
        assertThat(first[1023]).isCloseTo((float) (-0.4 / Math.sqrt(0.08)), within(1e-6f));
        assertThat(first[1024]).isZero();
        assertThat(first[2048]).isZero();
        float[] test = Datasets.open(uri, Split.TEST).batch(new int[] {0}).features();
        assertThat(test[0]).isCloseTo(0, within(1e-6f));
        assertThat(test[3071]).isEqualTo(-1);
    }

    @Test
    void readsTheTestBatch() {
        Bytes bytes = record(record(new Bytes(), 9, 1, 2, 3), 0, 255, 255, 255);
        bytes.to(folder.resolve("test_batch.bin"));
        Dataset dataset = Datasets.open("cifar10:" + folder, Split.TEST);
        assertThat(dataset.batch(new int[] {0, 1}).labels()).containsExactly(9, 0);
    }

    @Test
    void refusesWhatIsNotCifar() {
        writeTraining();
        Path file = folder.resolve("data_batch_3.bin");
        byte[] whole = record(record(new Bytes(), 1, 2, 3, 4), 5, 6, 7, 8).get();
        String uri = "cifar10:" + folder;
        Bytes.write(file, Arrays.copyOf(whole, whole.length - 1));
        Refused.withSentence(uri, Split.TRAIN, file + " ends too early");
        Bytes.write(file, Bytes.gzip(Arrays.copyOf(whole, 3074)));
        Refused.withSentence(uri, Split.TRAIN, file + " ends too early");
        Bytes.write(file, new byte[0]);
        Refused.withSentence(uri, Split.TRAIN, file + " is empty");
        whole[3073] = 10;
        Bytes.write(file, whole);
        Refused.withSentence(
                uri, Split.TRAIN, file + " is not CIFAR-10: record 1 has the label 10");
        Refused.withSentence(uri, Split.TEST, folder + " has no file test_batch.bin, neither");
    }
}
