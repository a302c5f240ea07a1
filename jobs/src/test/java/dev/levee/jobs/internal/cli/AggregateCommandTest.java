package dev.levee.jobs.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.data.NumpyArray;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

class AggregateCommandTest {
    @TempDir Path directory;
    private String rows;

    @BeforeEach
    void writeRows() throws IOException {
        rows = file("rows.csv", "0,0\n1,0\n0,1\n1,1\n100,-100\n");
    }

    private String file(String name, String content) throws IOException {
        return Files.writeString(directory.resolve(name), content).toString();
    }

    private static CommandLineRun aggregate(String... options) {
        List<String> arguments = new ArrayList<>(List.of("aggregate"));
        arguments.addAll(List.of(options));
        return CommandLineRun.of(arguments.toArray(String[]::new));
    }

    @Test
    void printsOneLineAndNothingElse() {
        CommandLineRun run = aggregate("--aggregator", "median", "-f", "1", "--in", rows);
        assertThat(run.code()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).isEqualTo("1.0,0.0\n");
    }

    @Test
    void everyDigitOfAFloatIsPrinted() throws IOException {
        String thirds = file("thirds.csv", "0,0\n0,1\n1,1e-30\n");
        CommandLineRun run = aggregate("--aggregator=average", "--in=" + thirds);
        assertThat(run.out()).isEqualTo("0.33333334,0.33333334\n");
    }

    @Test
    void aResultThatCannotBeWrittenIsAFailure() {
        OutputStream full =
                new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        throw new IOException("no space left on device");
                    }
                };
        String[] arguments = {"aggregate", "--aggregator", "median", "-f", "1", "--in", rows};
        PrintStream before = System.out;
        System.setOut(new PrintStream(full));
        try {
            assertThat(LeveeCommand.commandLine(arguments).execute(arguments)).isOne();
        } finally {
            System.setOut(before);
        }
    }

    /** As a shell hands over what a command writes: {@code --in <(command)}. */
    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void readsAPipe() throws Exception {
        Path pipe = directory.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        Process writer =
                new ProcessBuilder("cp", rows, pipe.toString()).redirectErrorStream(true).start();
        CommandLineRun run = aggregate("--aggregator=median", "-f1", "--in=" + pipe);
        assertThat(writer.waitFor()).isZero();
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).isEqualTo("1.0,0.0\n");
    }

    @Test
    void stagesStandBeforeTheRule() {
        CommandLineRun run =
                aggregate("--pre", "clip(1)", "--aggregator", "average", "-f", "0", "--in", rows);
        float expected = (float) ((1 + Math.sqrt(0.5) + Math.sqrt(0.5)) / 5);
        assertThat(Float.parseFloat(run.out().split(",")[0])).isEqualTo(expected);
    }

    @Test
    void attackersAreAddedBehind() throws IOException {
        String honest = file("honest.csv", "0,0\n4,2\n");
        CommandLineRun run =
                aggregate(
                        "--aggregator=average",
                        "--attack=fall-of-empires(epsilon=1)",
                        "--attackers=2",
                        "--in=" + honest);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).isEqualTo("0.0,0.0\n");
    }

    @Test
    void readsNumpy() throws IOException {
        Path file = directory.resolve("rows.npy");
        try (OutputStream out = Files.newOutputStream(file)) {
            FloatBuffer values = FloatBuffer.wrap(new float[] {1, 5, 2});
            NumpyArray.write(out, new long[] {3, 1}, List.of(values));
        }
        assertThat(aggregate("--aggregator", "median", "--in", file.toString()).out())
                .isEqualTo("2.0\n");
        // The option's name in the first releases.
        assertThat(aggregate("--rule", "median", "--in", file.toString()).out()).isEqualTo("2.0\n");
    }

    @Test
    void rowsMayCarryWeights() throws IOException {
        String weights = file("weights.csv", "1,1,1,1,4\n");
        assertThat(aggregate("--aggregator=average", "--weights=" + weights, "--in=" + rows).out())
                .isEqualTo("50.25,-49.75\n");
        assertThat(
                        aggregate("--aggregator=median", "--weights=" + weights, "--in=" + rows)
                                .sentence())
                .startsWith("median takes no weights");
    }

    @Test
    void aNumberOfAttackersThatDoesNotFitIsASentence() throws IOException {
        String wide = file("wide.csv", ("0,".repeat(999) + "0\n").repeat(5));
        CommandLineRun run =
                aggregate(
                        "--aggregator=average",
                        "--attack=fall-of-empires",
                        "--attackers=2147483647",
                        "--in=" + wide);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.sentence())
                .startsWith(
                        "2147483647 attackers with rows of 1000 values need 8589935 MB, but only ");
    }

    @Test
    void explainsOnStandardError() {
        CommandLineRun run = aggregate("--aggregator=krum", "-f", "1", "--in=" + rows, "--explain");
        assertThat(run.out()).isEqualTo("0.0,0.0\n");
        assertThat(run.err())
                .contains(
                        "krum with n = 5, f = 1: mean over 1 row of 1", "rows used: 0\n", "score");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--aggregator krum -f 2 --in rows.csv|krum needs n ≥ 2f + 3: with f = 2 that is 7 rows,"
                        + " got 5",
                "--aggregator median -f 2147483647 --in rows.csv|median needs n ≥ 2f + 1: with f ="
                        + " 2147483647 that is 2147483648 rows or more, got 5",
                "--aggregator bulyan -f 600000000 --in rows.csv|bulyan needs n ≥ 4f + 3: with f =",
                "--aggregator average -f 5 --in rows.csv|average needs n ≥ 1 and n > f: with f = 5 that is"
                        + " 6 rows, got 5",
                "--aggregator monna(trusted=w9) --in rows.csv|monna(trusted=w9) trusts w9, which is not",
                "--aggregator median -f -1 --in rows.csv|-f must not be negative, got -1",
                "--aggregator medain --in rows.csv|unknown rule medain: known are average",
                "--aggregator krum(m=2) --in rows.csv|krum ",
                "--aggregator median --in nowhere.csv|nowhere.csv does not exist",
                "--aggregator median --in empty.csv|empty.csv is empty: it must contain one "
                        + "row per line",
                "--aggregator median --in ragged.csv|ragged.csv, line 2 has 1 values, but "
                        + "the rows before it have 2",
                "--aggregator median --attackers 2 --in rows.csv|--attackers needs an --attack",
                "--aggregator median --attack silent --attackers 1 --in rows.csv|attack silent ",
                "--aggregator median --previous rows.csv --in rows.csv|--previous: ",
                "--aggregator median --scores short.csv --in rows.csv|--scores: ",
                "--aggregator median --device tpu --in rows.csv|Invalid value for option '--device': must be"
                        + " cpu, gpu or auto, got tpu",
                "--aggregator median -f x --in rows.csv|Invalid value for option '--byzantine'",
            })
    void rubbishIsOneSentenceAndExitCode2(String options, String sentence) throws IOException {
        file("empty.csv", "\n");
        file("ragged.csv", "1,2\n3\n");
        file("short.csv", "1,2\n");
        String[] arguments = options.split(" ");
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i].endsWith(".csv")) {
                arguments[i] = directory.resolve(arguments[i]).toString();
            }
        }
        CommandLineRun run = aggregate(arguments);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.sentence().replace(directory + "/", "")).startsWith(sentence);
    }

    @Test
    void rulesListsWhatThereIs() {
        CommandLineRun run = CommandLineRun.of("rules");
        assertThat(run.code()).isZero();
        assertThat(run.out().lines())
                .anyMatch(line -> line.matches("krum +n ≥ 2f \\+ 3 .*"))
                .anyMatch(line -> line.startsWith("nnm "))
                .anyMatch(line -> line.startsWith("little-is-enough "));
    }

    @Test
    void explainPrintsThePage() {
        assertThat(CommandLineRun.of("rules", "explain", "krum").out()).startsWith("# krum\n");
        CommandLineRun unknown = CommandLineRun.of("rules", "explain", "crumb");
        assertThat(unknown.code()).isEqualTo(2);
        assertThat(unknown.sentence())
                .isEqualTo("unknown name crumb: levee rules lists all names; did you mean krum?");
    }
}
