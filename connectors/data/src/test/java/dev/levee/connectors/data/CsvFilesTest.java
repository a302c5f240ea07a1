package dev.levee.connectors.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.levee.connectors.data.Datasets.Split;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Files in {@code csv/} are by Python's csv module. */
class CsvFilesTest {
    private static final Path WRITTEN =
            Path.of("src/test/resources/csv").toAbsolutePath().normalize();

    @TempDir Path folder;

    private Path write(String text) {
        Path file = folder.resolve("rows.csv");
        Bytes.write(file, text.getBytes(StandardCharsets.UTF_8));
        return file;
    }

    private static float[] row(Dataset dataset, int index) {
        int length = IntStream.of(dataset.shape()).reduce(1, (a, b) -> a * b);
        float[] row = new float[length + 2];
        row[0] = 7;
        row[length + 1] = 7;
        dataset.read(index, row, 1);
        assertThat(row[0]).isEqualTo(7);
        assertThat(row[length + 1]).isEqualTo(7);
        return Arrays.copyOfRange(row, 1, length + 1);
    }

    /** Both splits' samples: labels' names and features. */
    private static List<String> all(String uri) {
        List<String> samples = new ArrayList<>();
        for (Split split : Split.values()) {
            Dataset data = Datasets.open(uri, split);
            for (int i = 0; i < data.size(); i++) {
                samples.add(data.className(data.label(i)) + " " + Arrays.toString(row(data, i)));
            }
        }
        return samples.stream().sorted().toList();
    }

    /** The text is that of pandas's to_csv(sep=";", decimal=","), with the index that it adds. */
    @Test
    void readsWhatPandasWritesInEurope() {
        Path file = write(";a;kind\n0;0,5;x\n1;1,25;y, z\n2;-1,5e3;x\n");
        String uri = "csv:" + file + "?separator=;&decimal=comma";
        assertThat(all(uri)).containsExactly("x [-1500.0]", "x [0.5]", "y, z [1.25]");
        assertThat(all(uri + "&skip=a&categories=1&label=kind"))
                .containsExactly("x [0.0, 0.0, 1.0]", "x [1.0, 0.0, 0.0]", "y, z [0.0, 1.0, 0.0]");
        assertThat(all(uri + "&label=1&skip=kind"))
                .containsExactly("0 [0.5]", "1 [1.25]", "2 [-1500.0]");
        assertThat(Datasets.open(uri + "&owner=1", Split.TRAIN).owners()).isEqualTo(3);
        assertThat(Datasets.open(uri + "&targets=1&skip=kind", Split.TRAIN).targets()).isOne();
        Refused.withSentence(
                uri + "&categories=1&owner=1", Split.TRAIN, "cannot also be in categories");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> all(uri.replace("comma", "dot")))
                .withMessageContaining("decimal must be point or comma, got dot");
    }

    /** Targets of a sample behind a place that must stay as it is. */
    private static float[] targets(Dataset dataset, int index) {
        float[] targets = new float[dataset.targets() + 1];
        targets[0] = 7;
        dataset.readTargets(index, targets, 1);
        assertThat(targets[0]).isEqualTo(7);
        return Arrays.copyOfRange(targets, 1, targets.length);
    }

    @Test
    void targetsAreNumbersThatAreNoFeaturesAndStayAsTheyAre() {
        String uri =
                "csv:"
                        + WRITTEN.resolve("people.csv")
                        + "?targets=member,age&skip=name,species"
                        + "&categories=city&missing=drop&scale=standard";
        List<String> samples = new ArrayList<>();
        for (Split split : Split.values()) {
            Dataset data = Datasets.open(uri, split);
            assertThat(data.targets()).isEqualTo(2);
            assertThat(data.classes()).isEqualTo(1);
            assertThat(List.of(data.targetName(0), data.targetName(1)))
                    .containsExactly("age", "member");
            for (int i = 0; i < data.size(); i++) {
                assertThat(data.label(i)).isZero();
                samples.add(
                        Arrays.toString(targets(data, i)) + " " + Arrays.toString(row(data, i)));
            }
        }
        // In the order of the columns, whatever that of the option; Cy has no age.
        assertThat(samples)
                .containsExactlyInAnyOrder(
                        "[31.0, 1.0] [0.0, 0.0, 1.0]",
                        "[62.5, 0.0] [0.0, 1.0, 0.0]",
                        "[-0.01, 0.0] [1.0, 0.0, 0.0]",
                        "[40.0, 1.0] [0.0, 1.0, 0.0]");
        Dataset train = Datasets.open(uri, Split.TRAIN);
        assertThat(train.batch(new int[] {1, 0}).targets())
                .containsExactly(
                        targets(train, 1)[0],
                        targets(train, 1)[1],
                        targets(train, 0)[0],
                        targets(train, 0)[1]);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "targets=b&label=a | has label and targets, but a model learns only one: "
                        + "label is a column of classes, targets are columns of numbers",
                "targets=b,c&skip=c | the target's column c cannot also be in skip",
                "targets=a,b,c | has no feature column: its columns are a, b, c, and targets names the others",
                "targets=c | line 2, column c has \"x\", but targets must be numbers: "
                        + "?label=c makes classes of names",
                "targets=b&skip=c&missing=mean | line 3, column b has no target: "
                        + "?missing=drop omits such samples",
                "targets=b&skip=c&missing=drop&classes=2 | has classes and targets, but "
                        + "targets are not classes",
                "targets=d | has no column d, which targets names: its columns are a, b, c"
            })
    void refusesTargetsInOneSentence(String options, String message) {
        Path file = write("a,b,c\n1,2,x\n3,,y\n5,6,z\n");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Datasets.open("csv:" + file + "?" + options, Split.TRAIN))
                .withMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"people.csv", "quoted.csv", "people.tsv"})
    void readsWhatPythonWrote(String name) {
        String uri =
                "csv:" + WRITTEN.resolve(name) + "?skip=name&categories=city&missing=mean&seed=1";
        // Age, then Aix, Köln and Ulm, then member. The mean is the training samples'.
        Dataset train = Datasets.open(uri, Split.TRAIN);
        assertThat(train.classes()).isEqualTo(3);
        assertThat(train.shape()).containsExactly(5);
        assertThat(List.of(train.className(0), train.className(1), train.className(2)))
                .containsExactly("cat", "dog", "horse");
        assertThat(all(uri))
                .hasSize(5)
                .contains(
                        "cat [31.0, 0.0, 0.0, 1.0, 1.0]",
                        "dog [62.5, 0.0, 1.0, 0.0, 0.0]",
                        "dog [40.0, 0.0, 1.0, 0.0, 1.0]",
                        "horse [-0.01, 1.0, 0.0, 0.0, 0.0]");
        // With this seed a dog is held out, so Cy's age is the mean of the three others.
        Dataset test = Datasets.open(uri, Split.TEST);
        assertThat(test.size()).isEqualTo(1);
        double held = row(test, 0)[0];
        assertThat(row(train, train.size() == 4 && held == 40 ? 2 : 1))
                .containsExactly((float) ((31 + 62.5 - 0.01 + 40 - held) / 3), 0, 0, 1, 1);
    }

    @Test
    void readsWithoutAHeader() {
        String uri = "csv:" + WRITTEN.resolve("semicolons.csv.gz") + "?separator=;&label=1";
        assertThat(all(uri)).containsExactly("0 [1.5, 7.0]", "1 [-2.0, 8.0]", "10 [0.0, 9.0]");
        Dataset test = Datasets.open(uri + "&classes=5", Split.TEST);
        assertThat(test.classes()).isEqualTo(5);
        assertThat(test.className(4)).isEqualTo("4");
        Path padded = write(" 1, 2, 0\n 3, 4, 1\n 5, 6, 0\n");
        assertThat(all("csv:" + padded))
                .containsExactly("0 [1.0, 2.0]", "0 [5.0, 6.0]", "1 [3.0, 4.0]");
    }

    @Test
    void wholeNumbersAreOrderedBySizeAndNamesByCharacters() {
        Path file = write("x,label\n1,10\n2,9.0\n3,-1\n4,9\n");
        Dataset data = Datasets.open("csv:" + file + "?test=rows.csv", Split.TEST);
        assertThat(data.batch(new int[] {0, 1, 2, 3}).labels()).containsExactly(2, 1, 0, 1);
        write("x,label\n1,10\n2,b\n3,9\n");
        data = Datasets.open("csv:" + file + "?test=rows.csv&header=yes", Split.TRAIN);
        assertThat(data.batch(new int[] {0, 1, 2}).labels()).containsExactly(0, 2, 1);
    }

    /** Workers with files of their own must agree on what a label means. */
    @Test
    void numbersOfClassesAreKeptInFilesThatLackSome() {
        Path file = write("x,label\n1,7\n2,3\n");
        Dataset few = Datasets.open("csv:" + file + "?test=rows.csv&classes=10", Split.TRAIN);
        assertThat(few.batch(new int[] {0, 1}).labels()).containsExactly(7, 3);
        assertThat(few.className(7)).isEqualTo("7");
        Dataset above = Datasets.open("csv:" + file + "?test=rows.csv&classes=7", Split.TRAIN);
        assertThat(above.batch(new int[] {0, 1}).labels()).containsExactly(1, 0);
        assertThat(above.classes()).isEqualTo(7);
    }

    @Test
    void theLabelIsTheColumnCalledSoElseTheLast() {
        Path file = write("label,a,b\nx,1,2\ny,3,4\n");
        assertThat(all("csv:" + file)).containsExactly("x [1.0, 2.0]", "y [3.0, 4.0]");
        assertThat(all("csv:" + file + "?label=a&skip=1")).containsExactly("1 [2.0]", "3 [4.0]");
        Path other = folder.resolve("last.csv");
        Bytes.write(other, "a,b\n1,2\n3,4\n".getBytes(StandardCharsets.UTF_8));
        assertThat(all("csv:" + other)).containsExactly("2 [1.0]", "4 [3.0]");
    }

    @Test
    void testFilesHaveTheTrainingFilesClassesAndMeans() {
        Path file = write("a,b,label\n1,red,yes\n3,blue,no\n");
        Path test = folder.resolve("test.csv");
        Bytes.write(test, "a,b,label\n5,red,no\n,blue,yes\n".getBytes(StandardCharsets.UTF_8));
        String uri = "csv:" + file + "?test=test.csv&categories=b&scale=standard&missing=mean";
        Dataset data = Datasets.open(uri, Split.TEST);
        // Mean 2 and deviation 1; blue, then red.
        assertThat(row(data, 0)).containsExactly(3, 0, 1);
        assertThat(row(data, 1)).containsExactly(0, 1, 0);
        assertThat(data.batch(new int[] {0, 1}).labels()).containsExactly(0, 1);
        assertThat(row(Datasets.open(uri, Split.TRAIN), 0)).containsExactly(-1, 0, 1);
    }

    @Test
    void refusesTestFilesThatDoNotFit() {
        Path file = write("a,b,label\n1,red,yes\n3,blue,no\n");
        Path test = folder.resolve("test.csv");
        String uri = "csv:" + file + "?test=test.csv&categories=b";
        Bytes.write(test, "a,b,label\n5,red,perhaps\n".getBytes(StandardCharsets.UTF_8));
        Refused.withSentence(
                uri,
                Split.TEST,
                test + ", line 2, column label has the label \"perhaps\", which " + file);
        Bytes.write(test, "a,b,label\n5,green,no\n".getBytes(StandardCharsets.UTF_8));
        Refused.withSentence(uri, Split.TEST, "has the category \"green\", which");
        Bytes.write(test, "a,c,b,label\n5,6,red,no\n".getBytes(StandardCharsets.UTF_8));
        Refused.withSentence(
                uri, Split.TEST, test + " has the columns a, c, b, label, but " + file + " has a");
        Refused.withSentence(uri + "&seed=1", Split.TRAIN, "nothing can be held out");
    }

    @Test
    void missingValuesAreDroppedOrFilledIn() {
        Path file = write("a,b,label\n1,NA,x\n,2,y\n3,4,x\n5,6,?\n7,8,y\n");
        assertThat(all("csv:" + file + "?missing=drop"))
                .containsExactly("x [3.0, 4.0]", "y [7.0, 8.0]");
        Bytes.write(file, "a,b,label\n1,NA,x\n,2,y\n".getBytes(StandardCharsets.UTF_8));
        assertThat(all("csv:" + file + "?missing=zero"))
                .containsExactly("x [1.0, 0.0]", "y [0.0, 2.0]");
    }

    @Test
    void aColumnWithoutCategoriesIsNoFeature() {
        Path file = write("a,city,b,label\n1,,2,x\n3,,4,y\n");
        String uri = "csv:" + file + "?categories=city&missing=zero&scale=none";
        assertThat(all(uri)).containsExactly("x [1.0, 2.0]", "y [3.0, 4.0]");
        Refused.withSentence(
                uri + "&skip=a,b", Split.TRAIN, "has no features: its categories are all missing");
    }

    @Test
    void picturesHaveAShape() {
        Path file = write("1,2,3,4,5,6,0\n6,5,4,3,2,1,1\n");
        Dataset data = Datasets.open("csv:" + file + "?shape=1x2x3", Split.TRAIN);
        assertThat(data.shape()).containsExactly(1, 2, 3);
        Refused.withSentence(
                "csv:" + file + "?shape=2x2",
                Split.TRAIN,
                "shape 2x2 has 4 values, but a sample has 6 features");
        Refused.withSentence(
                "csv:" + file + "?shape=2xa",
                Split.TRAIN,
                "shape must be numbers separated by x, got 2xa");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            textBlock =
                    """
                    a,label;1,x;red,y  |              | , line 3, column a has "red", which is not a number: ?categories=a makes a feature of each value, ?skip=a omits the column
                    a,label;1,x;1d,y   |              | , line 3, column a has "1d", which is not a number
                    a,label;1,x;,y     |              | , line 3, column a has no value: ?missing=drop omits such samples
                    a,label;1,x;1,     | ?missing=mean | , line 3, column label has no label: ?missing=drop omits
                    a,label;1,x;1e39,y |              | , line 3, column a has 1.0E39, which is not finite as a float
                    a,label;1,0.5;2,1  |              | , line 2, column label has the label 0.5, but classes must be names or whole numbers; ?label=COLUMN selects
                    a,label;1,x;1,2,y  |              | line 3 has 3 fields, but there are 2 columns
                    a,label;1,"x;2,y   |              | line 2 opens a quote that is never closed
                    a,label;1,"x"y;2,y |              | line 2 continues after a closing quote
                    a,,label;1,2,x     |              | has no name for column 2 in its first row
                    a,a,label;1,2,x    |              | has two columns with the name a
                    a,label;1,x        | ?label=c     | has no column c, which label names: its columns are a, label
                    a,label;1,x        | ?skip=3      | has no column 3, which skip names
                    a,label;1,x        | ?skip=a      | has no feature column: its columns are a, label, and the label is label
                    a,b,label;1,y,x    | ?skip=2&categories=b | the column b cannot be in skip and in categories
                    a,label;1,x        | ?label=a&skip=a | the label's column a cannot also be in skip
                    a,label;1,x        | ?header=maybe | header must be yes or no, got maybe
                    a,label;1,x        | ?missing=no  | missing must be refuse, drop, mean or zero, got no
                    a,label;1,x        | ?separator=ab | separator must be one character or tab, got ab
                    a,label;1,x        | ?separator=: | has only one column; ?separator=CHARACTER sets
                    a,label            |              | has no samples
                    a,label;,x         | ?missing=drop | has no sample without a missing value
                    a,label;1,x        |              | has 1 samples, too few to hold out any
                    a,label;1,x;2,y    | ?classes=1   | has 2 different labels, not 1
                    a,label;1,x;2,y    | ?size=3      | has the unknown option size: csv: knows label, targets, owner, skip, categories, header, separator, decimal, missing, scale, shape, classes, test, holdout, seed
                    """)
    void refusesInOneSentence(String text, String options, String sentence) {
        Path file = write(text.replace(';', '\n'));
        Refused.withSentence(
                "csv:" + file + (options == null ? "" : options),
                Split.TRAIN,
                file.toString(),
                sentence);
    }

    @Test
    void linesAreCountedThroughQuotesAndLineBreaks() {
        Path file = write("a,b,label\r\n1,2,\"x\r\ny\"\r\n\r\n3,bad,z\r\n");
        Refused.withSentence(
                "csv:" + file, Split.TRAIN, file + ", line 5, column b has \"bad\", which is no");
    }

    @Test
    void refusesWhatIsNoTextOrTooMuch() {
        Refused.withSentence(
                "csv:" + WRITTEN.resolve("latin.csv"), Split.TRAIN, "is not UTF-8 text");
        Path file = write("");
        Refused.withSentence("csv:" + file, Split.TRAIN, file + " is empty");
        Path bomb = folder.resolve("bomb.csv.gz");
        Bytes.write(
                bomb,
                Bytes.gzip(
                        ("1," + "9".repeat(8_000_000) + ",".repeat(9_000_000))
                                .getBytes(StandardCharsets.UTF_8)));
        assertThat(bomb.toFile().length()).isLessThan(100_000);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Datasets.open("csv:" + bomb, Split.TRAIN))
                .withMessage(bomb + " line 1 begins a row of more than 16777216 characters");
    }

    @Test
    void idsThatDoublesDoNotHoldStayApart() {
        Path file =
                write(
                        "id,a,label\n9007199254740992,1,x\n+9007199254740993,2,y\n"
                                + "9007199254740993,3,x\n1e999,4,y\n9e999,5,x\n7.0,6,y\n7,7,x\n");
        assertThat(Datasets.open("csv:" + file + "?owner=id", Split.TRAIN).owners()).isEqualTo(5);
        assertThat(Datasets.open("csv:" + file + "?categories=id", Split.TRAIN).shape())
                .containsExactly(6);
    }

    @Test
    void aColumnOfOwnersIsNoFeature() {
        Path file =
                write("who,a,label\nzoe,1,x\nann,2,y\nzoe,3,y\nann,4,x\n,5,x\nbea,6,y\nacme,,y\n");
        Bytes.write(
                folder.resolve("other.csv"),
                "who,a,label\nnobody,7,x\n".getBytes(StandardCharsets.UTF_8));
        String uri = "csv:" + file + "?owner=who&missing=drop&test=other.csv&scale=standard";
        Dataset train = Datasets.open(uri, Split.TRAIN);
        assertThat(train.shape()).containsExactly(1);
        assertThat(train.owners()).isEqualTo(3);
        int[] owners = new int[train.size()];
        Arrays.setAll(owners, train::owner);
        // By name: ann, bea, zoe. The only sample of acme is dropped.
        assertThat(owners).containsExactly(2, 0, 2, 0, 1);
        assertThat(Datasets.open(uri, Split.TEST).size()).isOne();
        assertThat(Partition.parse("natural").deal(owners, train.owners(), 3, 1))
                .isDeepEqualTo(new int[][] {{1, 3}, {4}, {0, 2}});
        Refused.withSentence(
                "csv:" + file + "?owner=label&label=label",
                Split.TRAIN,
                "the label's column label cannot also be in owner");
        Refused.withSentence("csv:" + file + "?owner=who", Split.TRAIN, "has no owner");
        Refused.withSentence(
                "csv:" + file + "?owner=who&skip=a", Split.TRAIN, "has no feature column");
    }
}
