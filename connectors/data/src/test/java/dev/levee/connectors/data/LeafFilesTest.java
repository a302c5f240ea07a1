package dev.levee.connectors.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.levee.connectors.data.Datasets.Split;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;

/** Files in the layout that LEAF's preprocessing writes (its data/utils/split_data.py). */
class LeafFilesTest {
    private static final String FIRST =
            """
            {"users": ["ann", "bob"], "num_samples": [2, 1], "hierarchies": [["a"], ["b"]],
             "user_data": {"ann": {"x": [[0.5, 1], [2, -3e0]], "y": [7, 3]},
                           "bob": {"y": [3.0], "x": [[0, 0]]}}}
            """;
    private static final String SECOND =
            "{\"user_data\": {\"cleo\": {\"x\": [[[4], [5]]], \"y\": [11]}, \"ann\": {\"x\": [[6, 7]],"
                    + " \"y\": [7]}}, \"users\": [\"cleo\", \"ann\"]}";

    @TempDir Path folder;

    /** What a library allocates when it is loaded is not the file's fault. */
    @BeforeAll
    static void loadParser(@TempDir Path other) {
        Bytes.write(other.resolve("a.json"), "{\"user_data\": 1}".getBytes(StandardCharsets.UTF_8));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Datasets.open("leaf:" + other, Split.TRAIN));
    }

    private void write(String name, String text) {
        write(name, text.getBytes(StandardCharsets.UTF_8));
    }

    private void write(String name, byte[] bytes) {
        Path file = folder.resolve(name);
        try {
            Files.createDirectories(file.getParent());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        Bytes.write(file, bytes);
    }

    private static int[] owners(Dataset dataset) {
        int[] owners = new int[dataset.size()];
        Arrays.setAll(owners, dataset::owner);
        return owners;
    }

    @Test
    void samplesOfAllFilesKnowTheirUsers() {
        write("train/a_train.json", FIRST);
        write("train/b_train.json", SECOND);
        write("train/readme.txt", "not a part of it");
        write("test/a_test.json", SECOND);
        String uri = "leaf:" + folder;
        Dataset train = Datasets.open(uri, Split.TRAIN);
        assertThat(train.shape()).containsExactly(2);
        Batch batch = train.batch(new int[] {0, 1, 2, 3, 4});
        assertThat(batch.features()).containsExactly(0.5f, 1, 2, -3, 0, 0, 4, 5, 6, 7);
        // 3, 7 and 11 are classes 0, 1 and 2.
        assertThat(batch.labels()).containsExactly(1, 0, 0, 2, 1);
        assertThat(train.className(2)).isEqualTo("11");
        assertThat(train.owners()).isEqualTo(3);
        assertThat(owners(train)).containsExactly(0, 0, 1, 2, 0);

        Dataset test = Datasets.open(uri, Split.TEST);
        assertThat(test.batch(new int[] {0, 1}).labels()).containsExactly(2, 1);
        assertThat(test.classes()).isEqualTo(3);
        assertThat(Datasets.open(uri + "?shape=1x1x2&classes=5", Split.TRAIN).shape())
                .containsExactly(1, 1, 2);
    }

    @Test
    void withoutSplitsSamplesAreHeldOutAndKeepTheirUsers() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(FIRST.getBytes(StandardCharsets.UTF_8));
        }
        write("all_data_0.json", bytes.toByteArray());
        write("all_data_1.json", SECOND);
        String uri = "leaf:" + folder + "?holdout=0.4&seed=3";
        Dataset train = Datasets.open(uri, Split.TRAIN);
        Dataset test = Datasets.open(uri, Split.TEST);
        assertThat(train.size()).isEqualTo(3);
        assertThat(test.size()).isEqualTo(2);
        assertThat(train.owners()).isEqualTo(3);
        int[] all = new int[3];
        for (Dataset split : new Dataset[] {train, test}) {
            for (int owner : owners(split)) {
                all[owner]++;
            }
        }
        assertThat(all).containsExactly(3, 1, 1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[1]|must have an object with user_data, but has [ in line 1",
                "{\"users\": []}|has no user_data, as LEAF's files have",
                "{\"user_data\": {}}|has no samples",
                "{\"user_data\": {\"u\": {\"x\": [[1]], \"y\": []}}}|has 1 samples and 0 labels of user u",
                "{\"user_data\": {\"u\": {\"x\": [[1], [1, 2]], \"y\": [0, 1]}}}|has a sample of user u, number 2 of its x, that has 2 features, but the first sample has 1",
                "{\"user_data\": {\"u\": {\"x\": [\"to be or\"], \"y\": [\"n\"]}}}|must have "
                        + "a list of numbers for each sample of user u, but has to be or in line 1",
                "{\"user_data\": {\"u\": {\"x\": [[1, \"a\"]], \"y\": [0]}}}|text cannot be learned",
                "{\"user_data\": {\"u\": {\"x\": [[1e99]], \"y\": [0]}}}|has 1e99, which is not finite as a float",
                "{\"user_data\": {\"u\": {\"x\": [[1]], \"y\": [0.5]}}}|must have labels of "
                        + "user u that are names or whole numbers, but has 0.5 in line 1",
                "{\"user_data\": {\"u\": {\"x\": [[NaN]], \"y\": [0]}}}|is not readable JSON",
                "{\"user_data\": {\"u\": {\"x\": [[1, 2|is not readable JSON",
                "{\"user_data\": {\"u\": {\"x\": [[1]], \"y\": [0]|is not readable JSON",
            })
    void refusesWithASentence(String text, String sentence) {
        write("train/all.json", text);
        Refused.withSentence("leaf:" + folder, Split.TRAIN, folder.toString(), sentence);
    }

    @Test
    void refusesWhatIsNotThere() {
        Refused.withSentence("leaf:" + folder, Split.TRAIN, folder + " has no file *.json");
        write("train/all.json", FIRST);
        Refused.withSentence("leaf:" + folder, Split.TEST, "does not exist or cannot be read");
        write("test/all.json", SECOND);
        Refused.withSentence(
                "leaf:" + folder,
                Split.TEST,
                "has a sample of user cleo, number 1 of its x, that has the label 11, which the"
                        + " training files lack");
        Refused.withSentence(
                "leaf:" + folder + "?holdout=0.5", Split.TRAIN, "so nothing can be held out");
        Refused.withSentence(
                "leaf:" + folder + "?classes=1", Split.TRAIN, "has 2 different labels, not 1");
    }

    @Test
    void nestedListsDoNotMakeTheStackOverflow() {
        write("train/all.json", "{\"user_data\": {\"u\": {\"x\": [" + "[".repeat(1_000_000));
        Refused.withSentence("leaf:" + folder, Split.TRAIN, "is not readable JSON");
    }
}
