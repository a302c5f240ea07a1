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
import java.util.HashMap;
import java.util.Map;
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
        Dataset numbered = Datasets.open(uri + "?classes=12", Split.TRAIN);
        assertThat(numbered.batch(new int[] {0, 1, 3}).labels()).containsExactly(7, 3, 11);
    }

    @Test
    void withoutSplitsSamplesAreHeldOutAndKeepTheirUsers() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(FIRST.getBytes(StandardCharsets.UTF_8));
        }
        write("all_data_0.json.gz", bytes.toByteArray());
        write("all_data_1.json", SECOND);
        write("all_data_1.json.gz", "the same, which nobody reads");
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

    /** As LEAF's Shakespeare: its alphabet begins with a line feed, a space and "!". */
    @Test
    void textIsCharactersByLeafsAlphabet() {
        write(
                "train/all.json",
                "{\"user_data\": {\"HAMLET\": {\"x\": [\"To b\", \"o be\"], \"y\": [\"e\", \"!\"]},"
                        + " \"GHOST\": {\"y\": [\"k\"], \"x\": [\"Mar\\n\"]}}}");
        write("test/all.json", "{\"user_data\": {\"GHOST\": {\"x\": [\"é }!\"], \"y\": [\"Z\"]}}}");
        String uri = "leaf:" + folder + "?text=characters";
        Dataset train = Datasets.open(uri, Split.TRAIN);
        assertThat(train.shape()).containsExactly(4);
        assertThat(train.classes()).isEqualTo(80);
        assertThat(owners(train)).containsExactly(0, 0, 1);
        Batch batch = train.batch(new int[] {0, 2});
        assertThat(batch.features()).containsExactly(44, 67, 1, 54, 37, 53, 70, 0);
        assertThat(batch.labels()).containsExactly(57, 63);
        assertThat(train.className(57)).isEqualTo("e");
        assertThat(train.className(0)).isEqualTo("newline");

        // What the alphabet lacks is a space; a label need not occur in the training split.
        Batch other = Datasets.open(uri, Split.TEST).batch(new int[] {0});
        assertThat(other.features()).containsExactly(1, 1, 79, 2);
        assertThat(other.labels()).containsExactly(50);
    }

    /** As LEAF's Reddit, whose sequences end with padding. */
    @Test
    void eachWordOfASequenceIsASampleByTheMostFrequentWords() {
        write(
                "train/all.json",
                """
                {"user_data": {"u1": {
                  "x": [[["<BOS>", "so", "it"], ["goes", "<PAD>", "<PAD>"]]],
                  "y": [{"count_tokens": [3, 1], "target_tokens":
                         [["so", "it", "goes"], ["<EOS>", "<PAD>", "<PAD>"]]}]},
                 "u2": {
                  "y": [{"target_tokens": [["so", "rare", "<EOS>"]]}],
                  "x": [[["<BOS>", "so", "rare"]]]}}}
                """);
        write(
                "test/all.json",
                "{\"user_data\": {\"u3\": {\"x\": [[[\"so\", \"new\", \"it\"]]],"
                        + " \"y\": [{\"target_tokens\": [[\"new\", \"it\", \"so\"]]}]}}}");
        // so (4 times) is 2; of the others, which come twice, it, <BOS> and goes came first.
        String uri = "leaf:" + folder + "?text=words&vocabulary=6";
        Dataset train = Datasets.open(uri, Split.TRAIN);
        assertThat(train.classes()).isEqualTo(6);
        assertThat(train.className(0)).isEqualTo("<PAD>");
        assertThat(train.className(1)).isEqualTo("<UNK>");
        assertThat(train.className(2)).isEqualTo("so");
        assertThat(owners(train)).containsExactly(0, 0, 0, 0, 1, 1, 1);
        Map<String, Integer> words = new HashMap<>();
        for (int i = 0; i < 6; i++) {
            words.put(train.className(i), i);
        }
        assertThat(words).containsOnlyKeys("<PAD>", "<UNK>", "so", "<BOS>", "it", "goes");
        float begin = words.get("<BOS>");
        float it = words.get("it");
        Batch batch = train.batch(new int[] {0, 1, 2, 3, 5});
        assertThat(batch.features())
                .containsExactly(
                        0,
                        0,
                        begin,
                        0,
                        begin,
                        2,
                        begin,
                        2,
                        it,
                        0,
                        0,
                        words.get("goes"),
                        0,
                        begin,
                        2);
        assertThat(batch.labels()).containsExactly(2, (int) it, words.get("goes"), 1, 1);

        Dataset test = Datasets.open(uri, Split.TEST);
        assertThat(test.batch(new int[] {2}).features()).containsExactly(2, 1, it);
        assertThat(test.batch(new int[] {0, 2}).labels()).containsExactly(1, 2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "characters|{\"x\": [[1]], \"y\": [\"a\"]}|must have a string for each sample of user u",
                "characters|{\"x\": [\"ab\"], \"y\": [\"cd\"]}|must have one character for each label",
                "characters|{\"x\": [\"ab\", \"c\"], \"y\": [\"c\", \"d\"]}|number 2 of its x, that has 1 features",
                "words|{\"x\": [\"ab\"], \"y\": []}|must have sequences of words in x of user u, but has ab",
                "words|{\"x\": [[[\"a\"]]], \"y\": [3]}|must have objects with target_tokens in y of user u",
                "words|{\"x\": [[[\"a\"]]], \"y\": [{}]}|that has 1 sequences, but 0 in its target_tokens",
                "words|{\"x\": [[[\"a\"]]], \"y\": [{\"target_tokens\": [[]]}]}|a sequence of 1 words, but 0",
                "words|{\"x\": [[[\"a\"], [\"b\", \"c\"]]], \"y\": [{\"target_tokens\": [[\"b\"], [\"c\", \"d\"]]}]}|that has 2 features, but the first sample has 1",
            })
    void refusesTextWithASentence(String text, String user, String sentence) {
        write("train/all.json", "{\"user_data\": {\"u\": " + user + "}}");
        String uri = "leaf:" + folder + "?text=" + text;
        Refused.withSentence(uri, Split.TRAIN, folder.toString(), sentence);
    }

    @Test
    void refusesOptionsOfTextThatDoNotFit() {
        write("train/all.json", FIRST);
        String uri = "leaf:" + folder;
        Refused.withSentence(uri + "?text=letters", Split.TRAIN, "characters or words");
        Refused.withSentence(
                uri + "?vocabulary=9", Split.TRAIN, "has a vocabulary, but not text=words");
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
                "{\"user_data\": {\"u\": {\"x\": [[1, \"a\"]], \"y\": [0]}}}|for text, give ?text=characters or ?text=words",
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
