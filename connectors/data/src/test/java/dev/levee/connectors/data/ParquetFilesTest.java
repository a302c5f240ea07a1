package dev.levee.connectors.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.levee.connectors.data.Datasets.Split;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Files in {@code parquet/} are by DuckDB and by Apache Arrow's writer in Rust. */
class ParquetFilesTest {
    private static final Path WRITTEN =
            Path.of("src/test/resources/parquet").toAbsolutePath().normalize();

    @TempDir Path folder;

    /** The reader's classes, whose bytes are not a file's fault. */
    @BeforeAll
    static void load() {
        all("groups.parquet");
    }

    private static List<String> all(String address) {
        List<String> samples = new ArrayList<>();
        for (Split split : Split.values()) {
            Dataset data = Datasets.open("parquet:" + WRITTEN + "/" + address, split);
            for (int i = 0; i < data.size(); i++) {
                float[] row = new float[data.shape()[0]];
                data.read(i, row, 0);
                samples.add(data.className(data.label(i)) + " " + Arrays.toString(row));
            }
        }
        return samples.stream().sorted().toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"uncompressed", "snappy", "zstd", "gzip", "v2"})
    void readsWhatDuckDbWrote(String how) {
        // Age, paid, member, three cities, three places of the vector, small.
        assertThat(
                        all(
                                "people-"
                                        + how
                                        + ".parquet?label=species&skip=id&categories=city&missing=zero"))
                .containsExactly(
                        "cat [0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 7.0, 8.0, 9.0, 255.0]",
                        "cat [31.0, 1.25, 1.0, 0.0, 0.0, 1.0, 1.0, 2.0, 3.0, 200.0]",
                        "dog [40.0, 3.0, 1.0, 0.0, 1.0, 0.0, 13.0, 14.0, 15.0, 8.0]",
                        "dog [62.5, -7.5, 0.0, 0.0, 1.0, 0.0, 4.0, 5.0, 6.0, 0.0]",
                        "horse [-0.01, 99999.99, 0.0, 1.0, 0.0, 0.0, 10.0, 11.0, 12.0, 7.0]");
    }

    @Test
    void targetsMayBeLists() {
        Dataset data =
                Datasets.open(
                        "parquet:"
                                + WRITTEN
                                + "/people-zstd.parquet?targets=vector,small&skip=id,city,species"
                                + "&missing=drop",
                        Split.TRAIN);
        assertThat(data.targets()).isEqualTo(4);
        assertThat(data.shape()).containsExactly(3);
        assertThat(List.of(data.targetName(0), data.targetName(2), data.targetName(3)))
                .containsExactly("vector.0", "vector.2", "small");
        float[] targets = new float[4];
        data.readTargets(0, targets, 0);
        float[] row = new float[3];
        data.read(0, row, 0);
        assertThat(List.of(Arrays.toString(row), Arrays.toString(targets)))
                .isIn(
                        List.of("[31.0, 1.25, 1.0]", "[1.0, 2.0, 3.0, 200.0]"),
                        List.of("[62.5, -7.5, 0.0]", "[4.0, 5.0, 6.0, 0.0]"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1", "v2"})
    void readsWhatArrowWrote(String version) {
        assertThat(all("arrow-" + version + ".parquet?missing=drop"))
                .containsExactly(
                        "no [0.5, 1.0, 1.0]", "no [2.0, 1.0, 3.0]", "yes [-1.0, 0.0, 2.0]");
        assertThat(all("arrow-" + version + ".parquet?label=on&skip=x,label"))
                .containsExactly("false [2.0]", "true [-4.0]", "true [1.0]", "true [3.0]");
    }

    @Test
    void readsRowGroupsAndFoldersInOrder() throws IOException {
        Path file = WRITTEN.resolve("groups.parquet");
        Files.copy(file, folder.resolve("part-0.parquet"));
        Files.copy(file, folder.resolve("part-1.parquet"));
        Files.writeString(folder.resolve("_SUCCESS"), "");
        Dataset data = Datasets.open("parquet:" + folder + "?test=" + file, Split.TRAIN);
        assertThat(data.size()).isEqualTo(10_000);
        assertThat(data.classes()).isEqualTo(10);
        for (int i : new int[] {0, 2047, 2048, 4999, 5000, 9999}) {
            float[] row = new float[2];
            data.read(i, row, 0);
            assertThat(row).containsExactly(i % 5000, (float) ((long) (i % 5000) * (i % 5000)));
            assertThat(data.label(i)).isEqualTo(i % 10);
        }
        Files.copy(WRITTEN.resolve("arrow-v1.parquet"), folder.resolve("part-2.parquet"));
        Refused.withSentence(
                "parquet:" + folder,
                Split.TRAIN,
                folder.resolve("part-2.parquet")
                        + " has different columns from the files before it");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    people-zstd.parquet?label=species&missing=zero | FILE, row 0, column city has "Ulm", which is not a number: ?categories=city makes
                    people-zstd.parquet?label=species&skip=city | FILE, row 2, column age has no value: ?missing=drop
                    people-zstd.parquet?label=vector | FILE, column vector holds lists, which is not a label: ?skip=vector omits it
                    people-zstd.parquet?label=paid&skip=city,age,species | FILE, row 0, column paid has the label 1.25, but classes must be names
                    people-lz4_raw.parquet?label=species&skip=city | FILE is damaged Parquet: its pages are compressed with LZ4_RAW, but only Snappy, Zstandard, gzip and no compression are supported
                    ragged.parquet?label=species | FILE, row 1, column vector has a list of 1 values, but others have 2
                    types.parquet?label=id | FILE, column at is of type int64 at (TIMESTAMP(MICROS,false)), which is not a feature: ?skip=at
                    types.parquet?label=id&skip=at | FILE, column nested holds lists of lists, which is not a feature
                    types.parquet?label=id&skip=at,nested,b | FILE has no column b, which skip names: its columns are at, nested, pair.a, pair.b, id
                    people-v3.parquet | FILE does not exist or cannot be read
                    make.mjs | FILE is not a Parquet file: it does not end with PAR1
                    people-zstd.parquet?header=no | has the unknown option header: parquet: knows label
                    """)
    void refusesInOneSentence(String address, String sentence) {
        String path = WRITTEN + "/" + address.replaceFirst("\\?.*", "");
        Refused.withSentence(
                "parquet:" + WRITTEN + "/" + address, Split.TRAIN, sentence.replace("FILE", path));
    }

    @Test
    void idsThatDoublesDoNotHoldStayApart() {
        Dataset data =
                Datasets.open(
                        "parquet:" + WRITTEN + "/ids.parquet?owner=id&categories=wide,unsigned",
                        Split.TRAIN);
        assertThat(data.owners()).isEqualTo(2);
        assertThat(data.shape()).containsExactly(5);
    }

    @Test
    void readsFieldsOfStructures() {
        assertThat(all("types.parquet?label=id&skip=at,nested")).contains("5 [1.0, 2.0]");
    }

    @Test
    void listsMayBeMissing() {
        assertThat(all("lists-some.parquet?label=species&missing=drop"))
                .containsExactly(
                        "cat [7.0, 8.0, 9.0]",
                        "dog [13.0, 14.0, 15.0]",
                        "horse [10.0, 11.0, 12.0]");
        assertThat(all("lists-some.parquet?label=species&missing=zero"))
                .contains("dog [0.0, 0.0, 0.0]");
    }

    /** As Spark writes them: the first file has no rows. The second has no list. */
    @Test
    void theFirstFilesOfAFolderNeedNotHaveLists() throws IOException {
        Files.copy(WRITTEN.resolve("lists-none.parquet"), folder.resolve("part-0.parquet"));
        Files.copy(WRITTEN.resolve("lists-null.parquet"), folder.resolve("part-1.parquet"));
        Path some =
                Files.copy(WRITTEN.resolve("lists-some.parquet"), folder.resolve("part-2.parquet"));
        Dataset data =
                Datasets.open(
                        "parquet:" + folder + "?label=species&missing=zero&test=" + some,
                        Split.TRAIN);
        assertThat(data.size()).isEqualTo(7);
        assertThat(data.shape()).containsExactly(3);
        float[] row = new float[3];
        data.read(1, row, 0);
        assertThat(row).containsOnly(0);
        data.read(6, row, 0);
        assertThat(row).containsExactly(13, 14, 15);
    }

    @Test
    void refusesAFolderWithoutFiles() {
        Refused.withSentence("parquet:" + folder, Split.TRAIN, folder + " has no file *.parquet");
    }

    /** Whatever byte of a file is another, it is read or refused in one sentence naming it. */
    @Tag("long")
    @Test
    void brokenFilesAreRefused() throws IOException {
        SplittableRandom random = new SplittableRandom(5);
        Path file = folder.resolve("broken.parquet");
        for (String name : List.of("people-zstd", "people-v2", "arrow-v2", "people-snappy")) {
            byte[] bytes = Files.readAllBytes(WRITTEN.resolve(name + ".parquet"));
            for (int i = 0; i < 150; i++) {
                byte[] broken = bytes.clone();
                broken[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
                Files.write(file, broken);
                try {
                    // Another seed each time, or it would be the data set that is open already.
                    Datasets.open(
                            "parquet:" + file + "?missing=zero&seed=" + name.hashCode() + i,
                            Split.TRAIN);
                } catch (IllegalArgumentException e) {
                    assertThat(e.getMessage()).contains(file.toString()).doesNotContain("\n");
                }
            }
            for (int length = 0; length < bytes.length; length += 19) {
                Files.write(file, Arrays.copyOf(bytes, length));
                String address = "parquet:" + file + "?seed=" + name.hashCode() + length;
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> Datasets.open(address, Split.TRAIN))
                        .withMessage(file + " is not a Parquet file: it does not end with PAR1");
            }
        }
    }

    @Test
    void believesNoClaims() throws IOException {
        byte[] bytes = Files.readAllBytes(WRITTEN.resolve("people-zstd.parquet"));
        bytes[bytes.length - 5] = 0x7f;
        Path file = folder.resolve("claims.parquet");
        Files.write(file, bytes);
        Refused.withSentence("parquet:" + file, Split.TRAIN, file + " claims a footer of 2130");
    }
}
