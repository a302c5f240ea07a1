package dev.levee.jobs.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

class ServeOptionsTest {
    private static final String DEFAULTS =
            """
            bootstrap-servers: 127.0.0.1:9
            run: levee
            keys: keys
            unsigned: false
            gradient-retention: 10min
            evaluator-timeout: 1min
            dataset: "strokes:"
            model: mnist-cnn
            workers: 11
            byzantine: 3
            aggregator:
              - multi-krum
            quorum: 11
            non-finite: reject
            rounds: 500
            eval-interval: 50
            batch-size: 100
            learning-rate: 0.2
            schedule: constant
            optimizer: sgd
            momentum: 0.9
            momentum-side: worker
            seed: 1
            web-port: 8081-8181
            checkpoint-interval: 10s
            """;

    @TempDir Path directory;

    private static CommandLineRun dryRun(String... options) {
        List<String> arguments = new ArrayList<>(List.of("serve", "--dry-run"));
        arguments.add("--bootstrap-servers=127.0.0.1:9");
        arguments.addAll(List.of(options));
        return CommandLineRun.of(arguments.toArray(new String[0]));
    }

    @Test
    void dryRunPrintsTheDefaultsAndReadsThemBack() throws IOException {
        CommandLineRun run = dryRun();
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).isEqualTo(DEFAULTS);
        Path file = directory.resolve("serve.yaml");
        Files.writeString(file, DEFAULTS.replace("unsigned: false", "unsigned: true"));
        CommandLineRun read = CommandLineRun.of("serve", "--dry-run", "--config", file.toString());
        assertThat(read).isEqualTo(dryRun("--unsigned"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "--run a/b | --run: a run's name must consist of letters, digits, dots, dashes and"
                        + " underscores, got \"a/b\"",
                "--partitions 0 | --partitions must be a whole number from 1 to 128, got 0",
                "--replication 0 | --replication must be a whole number from 1 to 100, got 0",
                "--compression zip | --compression must be one of none, lz4, zstd, snappy, gzip,"
                        + " got zip",
                "--gradient-retention never | --gradient-retention must be a duration above zero"
                        + " such as 500ms, 10s or 2min, got never",
                "--kafka-config nowhere | --kafka-config nowhere does not exist",
                "--aggregator median --aggregator average | --aggregator: levee serve takes "
                        + "one rule, got 2",
                "--new --resume here | --new and --resume exclude each other; give one of "
                        + "them",
                "--byzantine 5 | --aggregator multi-krum needs n ≥ 2f + 3: with f = 5 that is 13"
                        + " workers, got 11",
                "--attack random | --attack is not known here",
                "--momentum 0 | --momentum needs --momentum-side server: workers use their own"
                        + " --momentum",
                "--attackers 3 | --attackers is not known here",
                "--initial a.npz --model logistic | --initial and --model exclude each "
                        + "other; give one of them",
                "--initial a.npz --loss mse | --initial and --loss exclude each other; give "
                        + "one of them",
                "--initial a.npz --dataset strokes: | --initial and --dataset exclude each "
                        + "other; give one of them",
                "--initial a.npz --aggregator zeno | --aggregator needs scores on samples, which a"
                        + " run with --initial does not have",
                "--evaluator w0 | --evaluator w0 is for a run with --initial; the job evaluates"
                        + " --model mnist-cnn itself",
                "--initial a.npz --evaluator x1 | --evaluator: a worker is called w and its number,"
                        + " such as w3; got x1",
                "--partition iid | --partition is not known here; did you mean --partitions?",
                "--compute-threads 2 | --compute-threads is not known here",
                "--servers 2 --byzantine-servers 1 | --server-aggregator median needs",
                "--byzantine-servers 1 | --byzantine-servers needs --servers of at least 2",
                "--servers 3 --quorum 8 --aggregator median | --quorum must be --workers, which is"
                        + " 11, where a gradient is for several servers, got 8",
                "--topology crash-tolerant --servers 3 | --topology crash-tolerant is for levee"
                        + " train: over Kafka, one job publishes the versions of all servers, and"
                        + " continues from the newest version after a crash, so there is nothing"
                        + " to fail over to",
                "--topology decentralised | --topology decentralised is for levee train: each node"
                        + " is worker and server, but over Kafka all servers are inside the job and"
                        + " all workers are outside",
                "--topology replicated | --topology replicated needs --servers of at least 2",
                "--servers 4 --server-quorum 3 | --server-quorum is not known here",
                "--worker-models per-server | --worker-models needs --servers of at least 2",
                "--servers 3 --worker-models each | --worker-models must be one of aggregate,"
                        + " per-server, got each",
                "--reputation 3:100 --servers 3 --aggregator median | --reputation needs one"
                        + " server, because several would each judge on their own",
                "--servers 3 --graph ring | --graph is not known here",
                "--servers 3 --elastic 2..4 | --elastic is not known here",
                "--initial a.npz --evaluator w0 --servers 3 | --evaluator w0 is for a run of one"
                        + " server, got --servers 3",
            })
    void eachWrongOptionIsNamedInOneSentence(String options, String sentence) {
        CommandLineRun run = dryRun(options.split(" "));
        assertThat(run.sentence()).startsWith(sentence);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void brokersAreNeeded() {
        String sentence =
                "--bootstrap-servers is needed: host:port of a Kafka broker, such as 127.0.0.1:9092"
                        + " after levee kafka start";
        assertThat(CommandLineRun.of("serve").sentence()).isEqualTo(sentence);
        assertThat(CommandLineRun.of("topics").sentence()).isEqualTo(sentence);
    }

    @Test
    void keysAndClientsAreCheckedBeforeAnybodyIsAsked() throws IOException {
        String none = directory.resolve("none").toString();
        assertThat(serve("--keys", none).sentence())
                .isEqualTo(
                        "--keys "
                                + none
                                + " has no job.key; create it with levee keys generate job, or run"
                                + " without keys with --unsigned");
        assertThat(topics("--keys", none).sentence())
                .isEqualTo(
                        "--keys "
                                + none
                                + " has no job.pub, which verifies versions; --unsigned"
                                + " skips verification");
        Path file = directory.resolve("client.properties");
        Files.writeString(file, "security.protocol=NONSENSE\n");
        assertThat(topics("--unsigned", "--kafka-config", file.toString()).sentence())
                .startsWith("--kafka-config: ")
                .contains("NONSENSE");
        assertThat(
                        CommandLineRun.of("topics", "--unsigned", "--bootstrap-servers=nowhere")
                                .sentence())
                .isEqualTo(
                        "--bootstrap-servers must be host:port, or several separated by commas, of"
                                + " hosts that can be found, got nowhere");
    }

    private static CommandLineRun serve(String... more) {
        return with("serve", more);
    }

    private static CommandLineRun topics(String... more) {
        return with("topics", more);
    }

    private static CommandLineRun with(String command, String... more) {
        List<String> arguments =
                new ArrayList<>(List.of(command, "--bootstrap-servers=127.0.0.1:9"));
        arguments.addAll(List.of(more));
        return CommandLineRun.of(arguments.toArray(new String[0]));
    }
}
