package dev.levee.connectors.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.levee.connectors.data.Datasets.Split;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;

class LibsvmFilesTest {
    @TempDir Path folder;

    private Path write(String name, String text) {
        Path file = folder.resolve(name);
        Bytes.write(file, text.getBytes(StandardCharsets.UTF_8));
        return file;
    }

    private static float[] row(Dataset dataset, int index) {
        float[] row = new float[dataset.shape()[0]];
        Arrays.fill(row, 7);
        dataset.read(index, row, 0);
        return row;
    }

    @Test
    void readsSparseLines() {
        write("test", "+1 4:9\n");
        Path file = write("train", "+1 1:0.5 4:-2e1 # first\r\n\n# none\n-1 2:3\t3:0\n-1.0");
        String uri = "libsvm:" + file + "?test=test";
        Dataset train = Datasets.open(uri, Split.TRAIN);
        assertThat(train.size()).isEqualTo(3);
        assertThat(train.shape()).containsExactly(4);
        assertThat(train.classes()).isEqualTo(2);
        assertThat(train.batch(new int[] {0, 1, 2}).labels()).containsExactly(1, 0, 0);
        assertThat(row(train, 0)).containsExactly(0.5f, 0, 0, -20);
        assertThat(row(train, 1)).containsExactly(0, 3, 0, 0);
        assertThat(row(train, 2)).containsExactly(0, 0, 0, 0);
    }

    @Test
    void theFirstNumberMayBeATarget() {
        write("test", "7.5 1:1\n");
        Path file = write("train", "1.25 1:0.5 2:3\n-40 2:1\n1.25 1:2\n");
        String uri = "libsvm:" + file + "?test=test&targets=yes";
        Dataset train = Datasets.open(uri, Split.TRAIN);
        assertThat(train.targets()).isEqualTo(1);
        assertThat(train.classes()).isEqualTo(1);
        assertThat(train.batch(new int[] {0, 1, 2}).targets()).containsExactly(1.25f, -40, 1.25f);
        assertThat(row(train, 0)).containsExactly(0.5f, 3);
        // A number that the training file lacks is nothing special.
        assertThat(Datasets.open(uri, Split.TEST).batch(new int[] {0}).targets())
                .containsExactly(7.5f);
        String held = "libsvm:" + file + "?targets=yes&holdout=0.34";
        assertThat(Datasets.open(held, Split.TRAIN).targets()).isEqualTo(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Datasets.open(uri + "&classes=3", Split.TRAIN))
                .withMessageContaining("has targets=yes, so there are no classes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Datasets.open("libsvm:" + file + "?targets=maybe", Split.TRAIN))
                .withMessageContaining("maybe");
    }

    /** The text is what scikit-learn's dump_svmlight_file writes by default. */
    @Test
    void indexesStartAtZeroWhereAZeroOccurs() {
        write("test", "1 1:7\n");
        Path file = write("train", "1 0:1.5 2:2\n-1 1:-1\n1 2:4.25\n");
        String uri = "libsvm:" + file + "?test=test";
        Dataset train = Datasets.open(uri, Split.TRAIN);
        assertThat(train.shape()).containsExactly(3);
        assertThat(row(train, 0)).containsExactly(1.5f, 0, 2);
        assertThat(row(train, 1)).containsExactly(0, -1, 0);
        // The test file has no 0, but indexes are those of the training file.
        assertThat(row(Datasets.open(uri, Split.TEST), 0)).containsExactly(0, 7, 0);
        assertThat(Datasets.open(uri + "&features=5", Split.TRAIN).shape()).containsExactly(5);
        refusedZero(
                uri + "&features=2", "has the index 2, where indexes start at 0, above 2 features");
        write("beyond", "1 3:7\n");
        refusedZero(
                "libsvm:" + file + "?test=beyond",
                "has the index 3, where indexes start at 0, above 3 features");
        write("test", "1 0:7\n");
        Path one = write("one", "1 1:1.5\n-1 2:2\n");
        refusedZero("libsvm:" + one + "?test=test", "has the index 0, but indexes start at 1");
    }

    private static void refusedZero(String uri, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Datasets.open(uri, Split.TEST))
                .withMessageContaining(message);
    }

    @Test
    void testSplitHasTheTrainingFeaturesAndLabels() {
        Path file = write("train", "3 5:1\n7 1:1\n20 2:1\n");
        Path test = write("test", "20 1:2\n7 4:1\n");
        for (String name : new String[] {"test", test.toString(), test.toUri().toString()}) {
            Dataset dataset = Datasets.open("libsvm:" + file + "?test=" + name, Split.TEST);
            assertThat(dataset.shape()).containsExactly(5);
            assertThat(dataset.classes()).isEqualTo(3);
            assertThat(dataset.batch(new int[] {0, 1}).labels()).containsExactly(2, 1);
            assertThat(row(dataset, 1)).containsExactly(0, 0, 0, 1, 0);
        }
    }

    @Test
    void featuresAndClassesCanBeGiven() {
        Path file = write("train", "0 1:1\n1 2:1\n");
        String uri = "libsvm:" + file + "?features=6&classes=4";
        Dataset dataset = Datasets.open(uri, Split.TRAIN);
        assertThat(dataset.shape()).containsExactly(6);
        assertThat(dataset.classes()).isEqualTo(4);
        write("train", "1 1:2 3:0\n3 2:1\n");
        dataset = Datasets.open("libsvm:" + file + "?classes=5&test=train", Split.TRAIN);
        assertThat(dataset.shape()).containsExactly(3);
        assertThat(dataset.batch(new int[] {0, 1}).labels()).containsExactly(1, 3);
        Refused.withSentence(
                "libsvm:" + file + "?classes=1", Split.TRAIN, "has 2 different labels, not 1");
    }

    @Test
    void samplesForValidationComeFromAPathWithAQuestionMark() {
        String uri = "libsvm:" + write("what?.txt", "0 1:1\n1 2:1\n".repeat(5));
        assertThat(Datasets.validation(uri + "?validation=0.25").size()).isEqualTo(2);
        assertThat(Datasets.open(uri + "?seed=1&validation=0.25", Split.TRAIN).size()).isEqualTo(6);
    }

    @Test
    void holdsOutASeededFifth() {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i <= 50; i++) {
            text.append(i % 3).append(" 1:").append(i).append('\n');
        }
        Path file = folder.resolve("train.gz");
        Bytes.write(file, Bytes.gzip(text.toString().getBytes(StandardCharsets.UTF_8)));
        Dataset train = Datasets.open("libsvm:" + file, Split.TRAIN);
        Dataset test = Datasets.open("libsvm:" + file, Split.TEST);
        assertThat(train.size()).isEqualTo(40);
        assertThat(test.size()).isEqualTo(10);
        double[] seen =
                IntStream.range(0, 50)
                        .mapToDouble(i -> i < 40 ? row(train, i)[0] : row(test, i - 40)[0])
                        .sorted()
                        .toArray();
        assertThat(seen).isEqualTo(IntStream.rangeClosed(1, 50).asDoubleStream().toArray());
        Dataset other = Datasets.open("libsvm:" + file + "?seed=1&holdout=0.5", Split.TEST);
        assertThat(other.size()).isEqualTo(25);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    1 -1:1        | line 2 has the index -1, but indexes start at 1
                    1 2:1 2:1     | line 2 has the index 2 after 2, but indexes must ascend
                    1 20000000:1  | line 2 has the index 20000000, above 16777216 features
                    1 2           | line 2 has "2" where index:value should be
                    1 :2          | line 2 has ":2" where index:value should be
                    1 x:2         | line 2 has "x:2" where index:value should be
                    1 1:          | line 2 has the value "", which is not a number
                    1 1:nan       | line 2 has the value "nan", which is not a number
                    1 1:NaN       | line 2 has the value NaN, which is not finite
                    1 1:1e39      | line 2 has the value 1e39, which is not finite
                    1,2 1:1       | line 2 has the label "1,2", which is not a number
                    """)
    void refusesBadLines(String line, String sentence) {
        Path file = write("train", "0 1:1\n" + line + "\n");
        Refused.withSentence("libsvm:" + file, Split.TRAIN, file + " " + sentence);
    }

    @Test
    void refusesWhatIsNoText() {
        Path file = write("train", "1 " + "9".repeat(5_000_000));
        Refused.withSentence("libsvm:" + file, Split.TRAIN, "line 1 has a word that is too long");
        Bytes.write(file, new byte[] {'1', ' ', 0, 1});
        Refused.withSentence("libsvm:" + file, Split.TRAIN, "is not LIBSVM text");
        write("train", "\n#\n");
        Refused.withSentence("libsvm:" + file, Split.TRAIN, file + " has no samples");
        write("train", "1 1:1\n");
        Refused.withSentence(
                "libsvm:" + file, Split.TRAIN, "has 1 samples, too few to hold out any");
        byte[] packed = Bytes.gzip("1 1:1\n2 1:1\n".getBytes(StandardCharsets.UTF_8));
        Bytes.write(file, Arrays.copyOf(packed, packed.length - 9));
        Refused.withSentence("libsvm:" + file, Split.TRAIN, file + " ends too early");
    }

    @Test
    void refusesTestFilesThatDoNotFit() {
        Path file = write("train", "0 1:1\n1 2:1\n");
        Path test = write("test", "2 1:1\n");
        Refused.withSentence(
                "libsvm:" + file + "?test=test", Split.TEST, test + " has the label 2.0, which");
        write("test", "1 3:1\n");
        Refused.withSentence(
                "libsvm:" + file + "?test=test",
                Split.TEST,
                test + " line 1 has the index 3, above 2 features; ?features=N sets");
        Refused.withSentence(
                "libsvm:" + file + "?test=test&seed=1", Split.TRAIN, "nothing can be held out");
    }
}
