package dev.levee.connectors.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.levee.connectors.data.Datasets.Split;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Files in {@code npz/} are by NumPy. */
class NpzFilesTest {
    private static final Path WRITTEN =
            Path.of("src/test/resources/npz").toAbsolutePath().normalize();

    @TempDir Path folder;

    private static Dataset open(String file, Split split) {
        return Datasets.open("npz:" + WRITTEN + "/" + file, split);
    }

    private static float[] row(Dataset dataset, int index) {
        float[] row = new float[IntStream.of(dataset.shape()).reduce(1, (a, b) -> a * b)];
        dataset.read(index, row, 0);
        return row;
    }

    private static List<String> all(String file) {
        List<String> samples = new ArrayList<>();
        for (Split split : Split.values()) {
            Dataset data = open(file, split);
            for (int i = 0; i < data.size(); i++) {
                samples.add(data.className(data.label(i)) + " " + Arrays.toString(row(data, i)));
            }
        }
        return samples.stream().sorted().toList();
    }

    @Test
    void targetsAreOneOrSeveralNumbersASample() {
        Dataset one = open("other.npz?features=inputs&targets=halves", Split.TRAIN);
        assertThat(one.targets()).isEqualTo(1);
        Dataset several = open("targets.npz?targets=y_train", Split.TRAIN);
        assertThat(several.targets()).isEqualTo(2);
        assertThat(several.shape()).containsExactly(1, 2, 3);
        float[] targets = new float[4];
        several.readTargets(2, targets, 1);
        assertThat(targets).containsExactly(0, 2.5f, -2, 0);
        assertThat(row(several, 1)[0]).isEqualTo(60 / 255f);
        Dataset test = open("targets.npz?targets=y_train", Split.TEST);
        assertThat(test.size()).isEqualTo(2);
        test.readTargets(1, targets, 0);
        assertThat(targets).startsWith(1, 1);
        Dataset named =
                open(
                        "targets.npz?features=x_train&targets=y_train&test-features=x_test"
                                + "&test-targets=y_test",
                        Split.TEST);
        assertThat(named.size()).isEqualTo(2);
        assertThat(open("columns.npz?targets=y&missing=drop", Split.TRAIN).size()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "other.npz?features=inputs&targets=halves&labels=targets | a sample has labels or targets, not both",
                "other.npz?features=inputs&labels=targets&test-targets=halves | test-targets is for data with targets",
                "names.npz?features=features&targets=labels | has type <U3, but targets must "
                        + "be numbers",
                "pictures.npz?features=x_test&targets=x_train | has shape [4, 2, 3], but "
                        + "targets must have shape (samples) or (samples, targets)",
                "columns.npz?targets=y | sample 1, column y has no target: ?missing=drop "
                        + "omits such samples",
                "few.npz?targets=z | select the samples with ?features=ARRAY&targets=ARRAY"
            })
    void refusesTargetsInOneSentence(String file, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> open(file, Split.TRAIN))
                .withMessageContaining(message);
    }

    @Test
    void readsPicturesOfBytes() {
        Dataset train = open("pictures.npz", Split.TRAIN);
        assertThat(train.size()).isEqualTo(4);
        assertThat(train.shape()).containsExactly(1, 2, 3);
        assertThat(train.classes()).isEqualTo(3);
        assertThat(train.className(2)).isEqualTo("7");
        assertThat(train.batch(new int[] {0, 1, 2, 3}).labels()).containsExactly(1, 0, 1, 2);
        assertThat(row(train, 1))
                .containsExactly(
                        60 / 255f, 70 / 255f, 80 / 255f, 90 / 255f, 100 / 255f, 110 / 255f);
        for (String scale : new String[] {"byte", "none"}) {
            Dataset numbered = open("pictures.npz?classes=10&scale=" + scale, Split.TRAIN);
            assertThat(numbered.batch(new int[] {0, 1, 3}).labels()).containsExactly(3, 1, 7);
        }
        Dataset test = open("pictures.npz", Split.TEST);
        assertThat(test.size()).isEqualTo(2);
        assertThat(test.label(0)).isZero();
        assertThat(row(test, 0)[1]).isEqualTo(15 / 255f);
        assertThat(row(open("pictures.npz?scale=none", Split.TRAIN), 1))
                .containsExactly(60, 70, 80, 90, 100, 110);
        assertThat(open("pictures.npz?shape=6", Split.TEST).shape()).containsExactly(6);
        // 20, 80, 140 and 200 in the third place: mean 110, deviation √4500.
        assertThat(row(open("pictures.npz?scale=standard", Split.TRAIN), 0)[2])
                .isEqualTo((float) ((20 - 110) / Math.sqrt(4500)));
    }

    @Test
    void putsChannelsFirst() {
        Dataset train = open("colours.npz", Split.TRAIN);
        assertThat(train.shape()).containsExactly(3, 2, 2);
        float[] scaled = row(train, 0);
        int[] bytes = new int[12];
        for (int i = 0; i < 12; i++) {
            bytes[i] = Math.round(scaled[i] * 255);
        }
        assertThat(bytes).containsExactly(0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11);
        assertThat(open("colours.npz?channels=first", Split.TEST).shape()).containsExactly(2, 2, 3);
        assertThat(row(open("colours.npz?scale=none", Split.TRAIN), 1))
                .containsExactly(12, 15, 18, 21, 13, 16, 19, 22, 14, 17, 20, 23);
    }

    @Test
    void readsRowsWithNames() {
        assertThat(all("names.npz"))
                .containsExactly(
                        "cat [0.5, -1.0, 2.0]", "cat [1000.0, 0.0, 6.0]", "Öre [3.0, 4.25, -5.0]");
        assertThat(all("fortran.npz"))
                .containsExactly(
                        "no [0.5, -1.0, 2.0]", "no [1000.0, 0.0, 6.0]", "yes [3.0, 4.25, -5.0]");
        assertThat(all("large.npz")).containsExactly("-5 [2.0]", "1099511627776 [1.0]");
        assertThat(all("other.npz?features=inputs&labels=targets")).hasSize(3);
        assertThat(all("missing.npz?missing=drop")).containsExactly("0 [3.0, 4.0]", "1 [5.0, 6.0]");
    }

    @Test
    void testSplitMayBeAFileOfItsOwn() {
        Dataset test = open("names.npz?test=names.npz&classes=4", Split.TEST);
        assertThat(test.size()).isEqualTo(3);
        assertThat(test.classes()).isEqualTo(4);
        Dataset named =
                open(
                        "other.npz?features=inputs&labels=targets&test-features=inputs"
                                + "&test-labels=halves",
                        Split.TRAIN);
        assertThat(named.size()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    onehot.npz  | array y of FILE has shape [3, 3], but labels are one per sample; array.argmax(axis=1) converts one-hot rows
                    objects.npz | array y of FILE has type |O, but labels must be whole numbers, booleans or text; array.astype(str) converts objects to text
                    few.npz     | array x of FILE has 3 samples, but there are 2 labels
                    other.npz   | FILE has the arrays inputs, targets, halves, complex: select the samples with ?features=ARRAY&labels=ARRAY
                    missing.npz | FILE, x, sample 0, column features has no value: ?missing=drop
                    other.npz?features=inputs | features and labels must be given together
                    other.npz?features=inputs&labels=halves | array halves of FILE has the label 0.5 for sample 0, but classes must be whole numbers or names
                    other.npz?features=complex&labels=targets | array complex of FILE has type <c16, but features must be numbers
                    other.npz?features=input&labels=targets | FILE has no array input, only inputs, targets, halves, complex
                    names.npz?scale=byte | array features of FILE has type <f8, but scale=byte is for uint8
                    pictures.npz?holdout=0.5 | has test arrays, so nothing can be held out
                    pictures.npz?test=names.npz&test-features=a&test-labels=b | test and test-features both define
                    names.npz?label=a | has the unknown option label: npz: knows features, labels
                    make.py     | FILE is not an npz file, which is a zip (its central directory cannot be read): write it with numpy.savez
                    none.npz    | FILE does not exist or cannot be read
                    """)
    void refusesInOneSentence(String address, String sentence) {
        String path = WRITTEN + "/" + address.replaceFirst("\\?.*", "");
        Refused.withSentence(
                "npz:" + WRITTEN + "/" + address, Split.TRAIN, sentence.replace("FILE", path));
    }

    @Test
    void refusesTestSamplesThatDoNotFit() {
        Refused.withSentence(
                "npz:" + WRITTEN + "/names.npz?test=large.npz",
                Split.TEST,
                "has no array labels, only x, y");
        Refused.withSentence(
                "npz:" + WRITTEN + "/large.npz?test=missing.npz",
                Split.TEST,
                "has samples of shape [2], but those of x have [1]");
        Refused.withSentence(
                "npz:"
                        + WRITTEN
                        + "/other.npz?features=inputs&labels=targets&test-features=inputs&test-labels=halves",
                Split.TEST,
                "has the label 0.5");
    }

    private Path zip(String header, byte[] content) throws IOException {
        Path file = folder.resolve("claims.npz");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(file))) {
            out.putNextEntry(new ZipEntry("x.npy"));
            out.write(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0});
            out.write(new byte[] {(byte) header.length(), 0});
            out.write(header.getBytes(StandardCharsets.US_ASCII));
            out.write(content);
            out.closeEntry();
            out.putNextEntry(new ZipEntry("y.npy"));
            NumpyArray.write(out, new long[] {2}, List.of(FloatBuffer.allocate(2)));
            out.closeEntry();
        }
        return file;
    }

    /** A header is a claim, and so is the size that a zip says an array has. */
    @Test
    void believesNoClaims() throws IOException {
        String header = "{'descr': '|u1', 'fortran_order': False, 'shape': (2, %s)}";
        Path file = zip(header.formatted("2000000000"), new byte[20]);
        Refused.withSentence(
                "npz:" + file, Split.TRAIN, "array x of " + file + " claims more values than the");
        zip(header.formatted("4000000000, 4000000000, 4000000000"), new byte[20]);
        Refused.withSentence("npz:" + file, Split.TRAIN, "claims more values than the");
        zip(header.formatted("7"), new byte[1_000_000]);
        Refused.withSentence("npz:" + file, Split.TRAIN, "but its shape says 14");
        // The central directory says four gigabytes of an array that is a few bytes.
        zip(header.formatted("2000000000"), new byte[20]);
        byte[] bytes = Files.readAllBytes(file);
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int entry = text.indexOf("PK\1\2");
        byte[] size = {0, (byte) 0x30, (byte) 0x6b, (byte) 0xee};
        System.arraycopy(size, 0, bytes, entry + 24, 4);
        Files.write(file, bytes);
        Refused.withSentence("npz:" + file, Split.TRAIN, "compressed bytes cannot contain");
        Files.write(file, Arrays.copyOf(bytes, bytes.length - 30));
        Refused.withSentence(
                "npz:" + file, Split.TRAIN, file + " is not an npz file, which is a zip");
    }

    @Test
    void refusesBrokenContent() throws IOException {
        byte[] bytes = Files.readAllBytes(WRITTEN.resolve("names.npz"));
        Path file = folder.resolve("broken.npz");
        // Within the values of the first array.
        bytes[200] ^= 1;
        Files.write(file, bytes);
        Refused.withSentence("npz:" + file, Split.TRAIN, file + " is damaged");
    }
}
