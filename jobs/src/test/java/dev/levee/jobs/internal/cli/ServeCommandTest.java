package dev.levee.jobs.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.levee.jobs.LocalCluster;
import dev.levee.jobs.LocalKafka;
import dev.levee.jobs.internal.cluster.Home;
import dev.levee.jobs.internal.report.RunFiles;
import dev.levee.operators.wire.KeyDirectory;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Whole runs over a real broker, through the command line. */
@Tag("cluster")
class ServeCommandTest {
    private static final int WORKERS = 4;

    @TempDir static Path directory;

    private static LocalKafka broker;

    @BeforeAll
    static void start() throws IOException {
        broker = LocalKafka.start(new LocalKafka.Options(directory.resolve("kafka"), 0, Map.of()));
    }

    @AfterAll
    static void stop() throws IOException {
        broker.close();
    }

    private static CommandLineRun levee(String command, String... more) {
        List<String> arguments = new ArrayList<>(List.of(command));
        arguments.add("--bootstrap-servers=" + broker.bootstrapServers());
        arguments.addAll(List.of(more));
        return CommandLineRun.of(arguments.toArray(new String[0]));
    }

    private static CommandLineRun serve(String run, String... more) {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "--run=" + run,
                                "--model=logistic",
                                "--workers=" + WORKERS,
                                "--byzantine=0",
                                "--aggregator=average",
                                "--eval-interval=10",
                                "--web-port=0",
                                "--output=" + directory.resolve(run)));
        arguments.addAll(List.of(more));
        return levee("serve", arguments.toArray(new String[0]));
    }

    private static JsonNode topics(String run, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("--run=" + run, "--json"));
        arguments.addAll(List.of(more));
        CommandLineRun shown = levee("topics", arguments.toArray(new String[0]));
        assertThat(shown.code()).as(shown.err()).isZero();
        return new ObjectMapper().readTree(shown.out());
    }

    private static OutsideWorkers workers(String run, KeyDirectory keys) {
        return new OutsideWorkers(broker.bootstrapServers(), run, keys, WORKERS);
    }

    @Test
    void aRunEndsGoesOnForLongerAndBeginsAnew() throws Exception {
        assertThat(serve("again", "--unsigned", "--resume=nothing").sentence())
                .startsWith("--resume goes on with a run, but again.models has no version");
        try (OutsideWorkers workers = workers("again", null)) {
            CommandLineRun first = serve("again", "--unsigned", "--rounds=20");
            assertThat(first.code()).as(first.err()).isZero();
            assertThat(first.err())
                    .contains(
                            "20 rounds, 4 workers over Kafka at ",
                            "; run again begins\nWithout keys (--unsigned): whoever can write to"
                                    + " again.gradients can speak for any worker\n");
            assertThat(first.out()).contains("average", "Report: ");
            JsonNode shown = topics("again", "--unsigned");
            long run = shown.path("id").asLong();
            assertThat(shown.path("version").asLong()).isEqualTo(20);
            assertThat(shown.path("complete").asBoolean()).isTrue();
            assertThat(shown.path("lastRound").path("rows")).hasSize(WORKERS);
            assertThat(shown.path("workers").get(0).path("accepted").asLong()).isEqualTo(20);

            assertThat(serve("again", "--unsigned", "--rounds=20").sentence())
                    .isEqualTo(
                            "run again is complete: version 20 is published and --rounds is 20;"
                                    + " more --rounds go on with it, and --new begins anew");
            assertThat(serve("again", "--unsigned", "--model=mnist-cnn").sentence())
                    .isEqualTo(
                            "run again has versions of another model than --model mnist-cnn; --new"
                                    + " begins anew, and another --run leaves it alone");

            CommandLineRun longer = serve("again", "--unsigned", "--rounds=30");
            assertThat(longer.code()).as(longer.err()).isZero();
            assertThat(longer.err()).contains("run again goes on from version 20");
            shown = topics("again", "--unsigned");
            assertThat(shown.path("id").asLong()).isEqualTo(run);
            assertThat(shown.path("version").asLong()).isEqualTo(30);
            assertThat(shown.path("workers").get(0).path("accepted").asLong()).isEqualTo(30);

            CommandLineRun anew = serve("again", "--unsigned", "--rounds=5", "--new");
            assertThat(anew.code()).as(anew.err()).isZero();
            shown = topics("again", "--unsigned");
            assertThat(shown.path("id").asLong()).isGreaterThan(run);
            assertThat(shown.path("version").asLong()).isEqualTo(5);
        }
    }

    @Test
    void aClusterServesWorkersWithKeys() throws Exception {
        KeyDirectory keys = new KeyDirectory(directory.resolve("keys"));
        String given = "--keys=" + keys.path();
        assertThat(serve("signed", given).sentence())
                .isEqualTo(
                        "--keys "
                                + keys.path()
                                + " has no job.key; levee keys generate job makes one, and"
                                + " --unsigned does without keys");
        keys.generate(KeyDirectory.JOB);
        keys.generate("w1");
        assertThat(serve("signed", given).sentence())
                .isEqualTo(
                        "--keys "
                                + keys.path()
                                + " has no public key of w0, w2-w3; levee keys generate w0 w2-w3"
                                + " makes them");
        for (String worker : List.of("w0", "w2", "w3")) {
            keys.generate(worker);
        }
        try (LocalCluster cluster =
                        LocalCluster.start(
                                new LocalCluster.Options(
                                        directory.resolve("cluster"),
                                        Home.find().clusterClassPath(),
                                        2,
                                        1,
                                        0,
                                        256,
                                        Map.of()));
                OutsideWorkers workers = workers("signed", keys)) {
            CommandLineRun run =
                    serve(
                            "signed",
                            given,
                            "--rounds=60",
                            "--compression=zstd",
                            "--optimizer=adam",
                            "--learning-rate=0.01",
                            "--checkpoint-interval=1s",
                            "--target=" + cluster.restUrl());
            assertThat(run.code()).as(run.err()).isZero();
        }
        assertThat(
                        new RunFiles(directory.resolve("signed").toUri().toString())
                                .read()
                                .orElseThrow()
                                .summary()
                                .finalAccuracy())
                .isGreaterThan(0.5);
        CommandLineRun shown = levee("topics", "--run=signed", given);
        assertThat(shown.err()).isEmpty();
        assertThat(shown.out())
                .contains("version 60, published ", "The run is complete.\n", "Round 59 had loss ")
                .contains("\nworker   accepted  selected  answered  rejected\nw0       60");
    }

    @Test
    void wrongBrokersAndTopicsAreNamedInOneSentence() throws Exception {
        String address = broker.bootstrapServers();
        assertThat(levee("topics", "--run=none", "--unsigned").sentence())
                .isEqualTo(
                        "there is no run none at "
                                + address
                                + "; levee serve --run none begins one");
        assertThat(
                        CommandLineRun.of("topics", "--bootstrap-servers=127.0.0.1:1", "--unsigned")
                                .sentence())
                .isEqualTo(
                        "--bootstrap-servers 127.0.0.1:1: no Kafka broker answers there within 15"
                                + " s");
    }
}
