package dev.levee.jobs.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.kafka.wire.KeyDirectory;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

class WorkerOptionsTest {
    @TempDir Path directory;

    private static CommandLineRun worker(String... options) {
        List<String> arguments = new ArrayList<>(List.of("worker"));
        arguments.addAll(List.of(options));
        return CommandLineRun.of(arguments.toArray(new String[0]));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "--run a | --id is required, such as --id w3",
                "--id 3 | --id: a worker is called w and its number, such as w3; got 3",
                "--id w3 | --bootstrap-servers is needed: host:port of a Kafka broker, such as"
                        + " 127.0.0.1:9092 after levee kafka start",
                "--ids w0-w2,w1 | --ids names w1 twice",
                "--ids w0-x | --ids: a worker is called w and its number, such as w3; got x",
                "--ids w9-w0 | --ids must be names and ranges of at most 1000 workers such as w0-w9,"
                        + " got w9-w0",
                "--ids w0-w1000 | --ids must be names and ranges of at most 1000 workers such as",
                "--id w0 --ids w1 | --id and --ids exclude each other; give one of them",
                "--id w3 --bootstrap-servers nowhere --unsigned --model logistic |"
                        + " --bootstrap-servers must be host:port, or several separated by commas,"
                        + " of hosts that can be found, got nowhere",
                "--id w3 --bootstrap-servers 127.0.0.1:9 --run a/b | --run: a run's name must"
                        + " consist of letters, digits, dots, dashes and underscores, got \"a/b\"",
                "--id w3 --bootstrap-servers 127.0.0.1:9 --unsigned --dataset nothing | --dataset: ",
                "--id w3 --bootstrap-servers 127.0.0.1:9 --unsigned --model nothing | --model: ",
                "--id w3 --bootstrap-servers 127.0.0.1:9 --unsigned --model logistic --attack"
                        + " little-is-enough | --attack: little-is-enough",
                "--id w3 --bootstrap-servers 127.0.0.1:9 --unsigned --resend-after 0s |"
                        + " --resend-after must be a duration above zero such as 500ms, 10s or"
                        + " 2min, got 0s",
                "--id w3 --workers 3 | --workers is not known here",
                "--id w3 --bootstrap-servers 127.0.0.1:9 --unsigned --servers 2 --byzantine-servers"
                        + " 1 | --byzantine-servers 1 needs --servers of at least 3, got 2",
                "--id w3 --servers 0 | --servers must be",
                "--id w3 --bootstrap-servers 127.0.0.1:9 --unsigned --worker-models per-server |"
                        + " --worker-models per-server needs --servers of at least 2",
            })
    void eachWrongOptionIsNamedInOneSentence(String options, String sentence) {
        CommandLineRun run = worker(options.split(" "));
        assertThat(run.sentence()).startsWith(sentence);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void keysAreNeededUnlessTheRunHasNone() throws IOException {
        KeyDirectory keys = new KeyDirectory(directory);
        String[] options = {"--id=w3", "--bootstrap-servers=127.0.0.1:9", "--keys=" + directory};
        assertThat(worker(options).sentence())
                .isEqualTo(
                        "--keys "
                                + directory
                                + " has no w3.key; create it with levee keys generate w3, or run without"
                                + " keys with --unsigned");
        keys.generate("w3");
        assertThat(worker(options).sentence())
                .isEqualTo(
                        "--keys "
                                + directory
                                + " has no job.pub, which verifies versions; --unsigned"
                                + " skips verification");
        keys.generate(KeyDirectory.JOB);
        keys.generate("s0");
        assertThat(
                        worker(
                                        Stream.of(options, new String[] {"--servers=3"})
                                                .flatMap(Arrays::stream)
                                                .toArray(String[]::new))
                                .sentence())
                .isEqualTo(
                        "--keys "
                                + directory
                                + " has no public key of server s1; levee keys generate s0-s2 makes"
                                + " those of 3 servers");
    }

    @Test
    void aFileThatIsNoStateIsNotOverwritten() throws IOException {
        Path file = directory.resolve("notes");
        Files.writeString(file, "not a state, and long enough to be looked at");
        CommandLineRun run =
                worker(
                        "--id=w3",
                        "--bootstrap-servers=127.0.0.1:9",
                        "--unsigned",
                        "--model=logistic",
                        "--state=" + file);
        assertThat(run.sentence()).isEqualTo("--state " + file + " is not the state of a worker");
        assertThat(run.code()).isEqualTo(2);
    }
}
