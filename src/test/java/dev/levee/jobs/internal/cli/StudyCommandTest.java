package dev.levee.jobs.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Whole studies through the command line, with a model that needs no natives. */
@Tag("cluster")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class StudyCommandTest {
    private static final String GRID =
            """
            dataset: strokes:?train=600&test=200&seed=1
            model: logistic
            workers: 7
            byzantine: [1, 2]
            aggregator: [trimmed-mean, bulyan]
            attack: [sign-flip, little-is-enough]
            learning-rate: [0.1, 0.5]
            rounds: 12
            eval-interval: 6
            batch-size: 8
            """;

    @TempDir Path directory;

    private CommandLineRun study(String grid, String output, String... more) throws IOException {
        Path file = Files.writeString(directory.resolve("grid.yaml"), grid);
        List<String> words = new ArrayList<>(List.of("study", file.toString(), "--web-port=0"));
        words.add("--output=" + directory.resolve(output));
        words.addAll(List.of(more));
        return CommandLineRun.of(words.toArray(String[]::new));
    }

    private List<String> csv(String output) throws IOException {
        return Files.readAllLines(directory.resolve(output).resolve("cells.csv"));
    }

    @Test
    void runsEachCellOnceAndATrainingWithItsCommandEndsWithTheSameBits() throws Exception {
        CommandLineRun run = study(GRID, "out");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err())
                .contains(
                        "16 cells: 2 byzantine × 2 aggregator × 2 attack × 2 learning-rate.",
                        "4 cells fail: --aggregator bulyan needs n ≥ 4f + 3: with f = 2 that is 11"
                                + " workers, got 7");
        assertThat(run.out()).contains("worst case").contains("failed");
        List<String> cells = csv("out");
        assertThat(cells).hasSize(17);
        assertThat(cells.stream().filter(line -> line.contains(",complete,"))).hasSize(12);
        assertThat(Files.readString(directory.resolve("out/report.html")))
                .contains("Best rule in its worst case", "Failed cells")
                .doesNotContain("NaN");
        assertThat(directory.resolve("out/table.tex")).content().contains("\\toprule");

        // What a kill leaves is some of the cells: the others are run, these are not touched.
        List<Path> files;
        try (Stream<Path> list = Files.list(directory.resolve("out/cells"))) {
            files = list.sorted().toList();
        }
        Files.delete(files.get(3));
        Files.delete(files.get(7));
        byte[] kept = Files.readAllBytes(files.get(0));
        CommandLineRun again = study(GRID, "out");
        assertThat(again.err()).contains("10 cells are done already.");
        assertThat(csv("out")).isEqualTo(cells);
        assertThat(files.get(0)).hasBinaryContent(kept);

        String line = cells.get(2);
        String command = line.substring(line.indexOf("./levee train ") + 14);
        List<String> train = new ArrayList<>(List.of("train"));
        Stream.of(command.split(" ")).map(word -> word.replace("'", "")).forEach(train::add);
        train.addAll(List.of("--web-port=0", "--output=" + directory.resolve("train")));
        assertThat(CommandLineRun.of(train.toArray(String[]::new)).code()).isZero();
        byte[] model = Files.readAllBytes(directory.resolve("train/model.npz"));
        String digest =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(model));
        assertThat(line).contains("," + digest + ",");
    }

    /** Each cell's command, run by itself, ends with the model that the study says. */
    private void repeats(List<String> cells, String output) throws Exception {
        for (String line : cells.subList(1, cells.size())) {
            String command = line.substring(line.indexOf("./levee ") + 8).replace("\"", "");
            List<String> words =
                    new ArrayList<>(
                            Stream.of(command.split(" ")).map(w -> w.replace("'", "")).toList());
            Path repeated = directory.resolve(output).resolve("again");
            words.addAll(List.of("--web-port=0", "--overwrite", "--output=" + repeated));
            CommandLineRun run = CommandLineRun.of(words.toArray(String[]::new));
            assertThat(run.code()).as(run.err()).isZero();
            assertThat(line).contains("," + digest(repeated.resolve("model.npz")) + ",");
        }
    }

    private static String digest(Path file) throws Exception {
        return HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    }

    @Test
    void topologiesAreVariants() throws Exception {
        CommandLineRun run =
                study(
                        """
                        variants:
                          one server: {}
                          replicated: {topology: replicated, servers: 3, byzantine-servers: 1}
                          ring: {topology: decentralised, graph: ring}
                        dataset: strokes:?train=600&test=200&seed=1
                        model: logistic
                        workers: 7
                        byzantine: 1
                        aggregator: median
                        attack: sign-flip
                        rounds: 8
                        batch-size: 8
                        """,
                        "servers");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err()).contains("3 cells: 3 variant.");
        assertThat(csv("servers").get(0)).startsWith("variant,cell,");
        repeats(csv("servers"), "servers");
    }

    @Test
    void algorithmsOfDevicesAreAnAxis() throws Exception {
        CommandLineRun run =
                study(
                        """
                        command: federate
                        algorithm: [fedavg, fedadam, fedasync]
                        dataset: strokes:?train=600&test=200&seed=1&validation=0.2
                        partition: dirichlet(1)
                        model: logistic
                        devices: 10
                        per-round: 3
                        rounds: 6
                        local-steps: 2
                        """,
                        "devices");
        assertThat(run.code()).as(run.err()).isZero();
        List<String> cells = csv("devices");
        assertThat(cells.get(1)).startsWith("fedavg,").contains("complete,accuracy,");
        repeats(cells, "devices");
    }

    @Test
    void aDryRunTellsHowManyCellsThereAre() throws Exception {
        CommandLineRun run = study(GRID, "dry", "--dry-run");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("16 cells", "4 cells fail", "About ", "the first rounds of 6 of 6 kinds");
        assertThat(directory.resolve("dry")).doesNotExist();
    }

    @Test
    void whatIsWrongWithAStudyIsSaidInASentence() throws Exception {
        refused(
                "agregator: median",
                "sets agregator, which does not exist; did you mean aggregator?");
        refused("attack: [none, sign-flop]", "attack in grid.yaml: unknown attack sign-flop");
        refused("seed: [1, 1]", "seed in grid.yaml has 1 twice");
        refused("rounds: 0", "--rounds must be");
        refused("command: tran", "command in grid.yaml must be one of train, federate, got tran");
        refused(
                "seed: 1\nvariants: {a: {seed: 1}}",
                "seed in a in grid.yaml is set outside of the variants, too; set it in one place");
        refused("variants: [a]", "variants in grid.yaml must have lines such as");
        refused("honest: 8\nworkers: 11", "gives honest and workers; give one of them");
        refused("measure: median", "measure in grid.yaml must be one of best, final, got median");
        refused(
                "aggregator: median\nquorum: 8",
                "--quorum below the number of workers needs a job of its own, because its rounds"
                        + " depend on which workers are faster");
        Files.createDirectories(directory.resolve("other"));
        Files.writeString(directory.resolve("other/notes.txt"), "mine");
        CommandLineRun run = study(GRID, "other");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.sentence())
                .contains("holds notes.txt, which a study would not have written");
    }

    private void refused(String option, String sentence) throws IOException {
        CommandLineRun run =
                study("model: logistic\ndataset: strokes:?train=60&test=20\n" + option, "refused");
        assertThat(run.code()).as(run.err()).isEqualTo(2);
        assertThat(run.sentence()).contains(sentence);
    }
}
