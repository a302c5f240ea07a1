package dev.levee.connectors.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.levee.connectors.data.Datasets.Split;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

class IdxFilesTest {
    @TempDir Path folder;

    /** Three images of 2 rows and 3 columns. */
    private static Bytes images() {
        return new Bytes()
                .addInt(0x0803)
                .addInt(3)
                .addInt(2)
                .addInt(3)
                .add(0, 51, 102, 153, 204, 255)
                .add(1, 2, 3, 4, 5, 6)
                .fill(255, 6);
    }

    private static Bytes labels(int... labels) {
        return new Bytes().addInt(0x0801).addInt(labels.length).add(labels);
    }

    private String uri() {
        return "idx:" + folder;
    }

    private void writeTraining() {
        images().to(folder.resolve("train-images-idx3-ubyte"));
        labels(4, 0, 2).to(folder.resolve("train-labels-idx1-ubyte"));
    }

    @Test
    void readsPlainFiles() {
        writeTraining();
        Dataset dataset = Datasets.open(uri(), Split.TRAIN);
        assertThat(dataset.size()).isEqualTo(3);
        assertThat(dataset.shape()).containsExactly(1, 2, 3);
        assertThat(dataset.classes()).isEqualTo(5);
        Batch batch = dataset.batch(new int[] {2, 0});
        assertThat(batch.labels()).containsExactly(2, 4);
        assertThat(batch.features())
                .containsExactly(1, 1, 1, 1, 1, 1, 0, 0.2f, 0.4f, 0.6f, 0.8f, 1);
    }

    @Test
    void readsGzipWhateverItsName() {
        Bytes.write(folder.resolve("train-images-idx3-ubyte"), Bytes.gzip(images().get()));
        Bytes.write(
                folder.resolve("train-labels-idx1-ubyte.gz"), Bytes.gzip(labels(4, 0, 2).get()));
        Dataset dataset = Datasets.open(uri(), Split.TRAIN);
        float[] out = new float[8];
        dataset.read(0, out, 1);
        assertThat(out).containsExactly(0, 0, 0.2f, 0.4f, 0.6f, 0.8f, 1, 0);
    }

    @Test
    void testSplitHasTheTrainingClassesUnderEitherName() {
        writeTraining();
        images().to(folder.resolve("t10k-images-idx3-ubyte"));
        labels(1, 0, 1).to(folder.resolve("t10k-labels-idx1-ubyte"));
        Dataset test = Datasets.open(uri(), Split.TEST);
        assertThat(test.classes()).isEqualTo(5);
        assertThat(test.label(0)).isEqualTo(1);

        images().to(folder.resolve("other/test-images-idx3-ubyte"));
        labels(1, 0, 1).to(folder.resolve("other/test-labels-idx1-ubyte"));
        assertThat(Datasets.open(uri() + "/other?classes=7", Split.TEST).classes()).isEqualTo(7);
    }

    @Test
    void standardizesByTheTrainingPixels() {
        new Bytes()
                .addInt(0x0803)
                .addInt(2)
                .addInt(1)
                .addInt(2)
                .add(0, 0, 51, 153)
                .to(folder.resolve("train-images-idx3-ubyte"));
        labels(0, 1).to(folder.resolve("train-labels-idx1-ubyte"));
        images().to(folder.resolve("t10k-images-idx3-ubyte"));
        labels(1, 0, 1).to(folder.resolve("t10k-labels-idx1-ubyte"));
        // The mean of 0, 0, 0.2 and 0.6 is 0.2, their variance 0.06.
        float deviation = (float) Math.sqrt(0.06);
        float a = 0.8f / deviation;
        String standard = uri() + "?scale=standard";
        assertThat(Datasets.open(standard, Split.TRAIN).batch(new int[] {1}).features())
                .containsExactly(new float[] {0, 0.4f / deviation}, within(1e-6f));
        assertThat(Datasets.open(standard, Split.TEST).batch(new int[] {2}).features())
                .containsExactly(new float[] {a, a, a, a, a, a}, within(1e-6f));
        Refused.withSentence(uri() + "?scale=unit", Split.TRAIN, "byte or standard");
    }

    @Test
    void readsRelativePathsAndFileUris() {
        writeTraining();
        Path relative = Path.of("").toAbsolutePath().relativize(folder);
        assertThat(Datasets.open("idx:" + relative, Split.TRAIN).size()).isEqualTo(3);
        assertThat(Datasets.open("idx:" + folder.toUri(), Split.TRAIN).size()).isEqualTo(3);
    }

    @Test
    void namesTheMissingFile() {
        Refused.withSentence(
                uri(),
                Split.TEST,
                folder + " has no file t10k-labels-idx1-ubyte or test-labels-idx1-ubyte, neither");
    }

    @Test
    void refusesLabelsBeyondTheClasses() {
        writeTraining();
        images().to(folder.resolve("test-images-idx3-ubyte"));
        labels(1, 5, 1).to(folder.resolve("test-labels-idx1-ubyte"));
        Refused.withSentence(uri(), Split.TEST, "has the test label 5, but only 5 classes");
        Refused.withSentence(
                uri() + "?classes=4", Split.TRAIN, "has the training label 4, but only 4 classes");
    }

    @Test
    void refusesOtherCounts() {
        images().to(folder.resolve("train-images-idx3-ubyte"));
        labels(4, 0).to(folder.resolve("train-labels-idx1-ubyte"));
        Refused.withSentence(
                uri(),
                Split.TRAIN,
                "train-images-idx3-ubyte claims 3 images, but there are 2 labels");
    }

    @Test
    void refusesOtherMagic() {
        writeTraining();
        labels(1, 2).to(folder.resolve("train-images-idx3-ubyte"));
        Refused.withSentence(
                uri(),
                Split.TRAIN,
                "train-images-idx3-ubyte is not an IDX file of images: it starts with 00000801"
                        + " instead of 00000803");
    }

    @Test
    void refusesEveryTruncation() {
        writeTraining();
        byte[] whole = images().get();
        Path file = folder.resolve("train-images-idx3-ubyte");
        for (int length = 0; length < whole.length; length++) {
            Bytes.write(file, Arrays.copyOf(whole, length));
            Refused.withSentence(uri(), Split.TRAIN, file.toString());
        }
    }

    @Test
    void refusesEveryTruncationOfGzip() {
        writeTraining();
        byte[] whole = Bytes.gzip(images().get());
        Path file = folder.resolve("train-images-idx3-ubyte");
        for (int length = 0; length < whole.length; length++) {
            Bytes.write(file, Arrays.copyOf(whole, length));
            Refused.withSentence(uri(), Split.TRAIN, file.toString());
        }
    }

    @Test
    void refusesWrongChecksums() {
        writeTraining();
        byte[] packed = Bytes.gzip(images().get());
        packed[packed.length - 5] ^= 1;
        Bytes.write(folder.resolve("train-images-idx3-ubyte"), packed);
        Refused.withSentence(uri(), Split.TRAIN, "train-images-idx3-ubyte is damaged gzip");
    }

    @Test
    void refusesTrailingBytes() {
        writeTraining();
        Path file = folder.resolve("train-images-idx3-ubyte");
        images().add(0).to(file);
        Refused.withSentence(uri(), Split.TRAIN, file + " claims 3 images of 2×3");
        Bytes.write(file, Bytes.gzip(images().add(0).get()));
        Refused.withSentence(uri(), Split.TRAIN, file + " continues after");
    }

    /** Gzip can hold a thousand times its length, which may fit as bytes but not as labels. */
    @Test
    void refusesLabelsThatDoNotFitIntoMemory() {
        long heap = Runtime.getRuntime().maxMemory();
        int count = (int) Math.min(Integer.MAX_VALUE - 8, heap / 6);
        assumeTrue(5L * count > heap / 2, "this JVM has memory for any number of labels");
        byte[] noise = new byte[count / 1000];
        new Random(1).nextBytes(noise);
        Bytes file = new Bytes().addInt(0x0801).addInt(count);
        for (byte value : noise) {
            file.add(value);
        }
        Bytes.write(folder.resolve("train-labels-idx1-ubyte.gz"), Bytes.gzip(file.get()));
        Refused.withSentence(
                uri(),
                Split.TRAIN,
                "train-labels-idx1-ubyte.gz needs " + (5L * count >> 20) + " MiB, which is more");
    }

    @Test
    void refusesLyingHeadersWithoutAllocating() {
        Path images = folder.resolve("train-images-idx3-ubyte");
        Path labels = folder.resolve("train-labels-idx1-ubyte");
        Bytes huge = new Bytes().addInt(0x0801).addInt(Integer.MAX_VALUE).add(1);
        huge.to(labels);
        Refused.withSentence(
                uri(),
                Split.TRAIN,
                labels + " claims 2147483647 labels, which makes 2147483655 bytes, but has 9");
        Bytes.write(labels, Bytes.gzip(huge.get()));
        Refused.withSentence(uri(), Split.TRAIN, labels + " claims 2147483647 labels");
        new Bytes().addInt(0x0801).addInt(-1).to(labels);
        Refused.withSentence(uri(), Split.TRAIN, labels + " claims 4294967295 labels");

        labels(4, 0, 2).to(labels);
        Bytes wide = new Bytes().addInt(0x0803).addInt(3).addInt(65535).addInt(65535).add(1);
        wide.to(images);
        Refused.withSentence(uri(), Split.TRAIN, images + " claims images of 65535×65535 pixels");
        Bytes large = new Bytes().addInt(0x0803).addInt(3).addInt(10000).addInt(10000).add(1);
        large.to(images);
        Refused.withSentence(uri(), Split.TRAIN, images + " claims 3 images of 10000×10000");
        Bytes.write(images, Bytes.gzip(large.get()));
        Refused.withSentence(uri(), Split.TRAIN, images + " claims 3 images of 10000×10000");
    }
}
