package dev.levee.jobs.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import static java.time.ZoneOffset.UTC;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.job.Evaluator;
import dev.levee.connectors.kafka.job.KafkaSetup;
import dev.levee.connectors.kafka.job.RunKeys;
import dev.levee.connectors.kafka.job.TopicPlan;
import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.gar.Rules;
import dev.levee.jobs.cluster.LocalKafka;
import dev.levee.jobs.internal.report.RunFiles;
import dev.levee.kafka.TestBroker;
import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.securesum.Masking;
import dev.levee.operators.rounds.securesum.plan.SumRates;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Whole runs over a real broker, through the command line. */
@Tag("cluster")
class ServeCommandTest {
    private static final int WORKERS = 4;

    @TempDir static Path directory;

    private static LocalKafka broker;

    @BeforeAll
    static void start() throws Exception {
        broker = TestBroker.emptied();
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
    void oneProcessCanHaveAllWorkers() throws Exception {
        CompletableFuture<CommandLineRun> workers =
                CompletableFuture.supplyAsync(
                        () ->
                                levee(
                                        "worker",
                                        "--run=range",
                                        "--unsigned",
                                        "--model=logistic",
                                        "--ids=w0-w2,w3",
                                        "--state=" + directory.resolve("range-state")));
        CommandLineRun served = serve("range", "--unsigned", "--rounds=20");
        assertThat(served.code()).as(served.err()).isZero();
        CommandLineRun worked = workers.get(5, TimeUnit.MINUTES);
        assertThat(worked.code()).as(worked.err()).isZero();
        assertThat(worked.err())
                .startsWith("Workers w0-w2,w3 of run range at ")
                .contains("The run is over; 4 workers have sent 80 answers to it");
        assertThat(directory.resolve("range-state.w3")).exists();
    }

    @Test
    void aRunEndsGoesOnForLongerAndBeginsAnew() throws Exception {
        assertThat(serve("afresh", "--unsigned", "--resume=nothing").sentence())
                .startsWith("--resume continues a run, but topic afresh.models has no version");
        try (OutsideWorkers workers = workers("afresh", null)) {
            CommandLineRun first = serve("afresh", "--unsigned", "--rounds=20");
            assertThat(first.code()).as(first.err()).isZero();
            assertThat(first.err())
                    .contains(
                            "20 rounds, 4 workers over Kafka at ",
                            "; run afresh begins\nWithout keys (--unsigned): anyone who can write to"
                                    + " afresh.gradients can send as any worker\n");
            assertThat(first.out()).contains("average", "Report: ");
            JsonNode shown = topics("afresh", "--unsigned");
            long run = shown.path("id").asLong();
            assertThat(shown.path("version").asLong()).isEqualTo(20);
            assertThat(shown.path("complete").asBoolean()).isTrue();
            assertThat(shown.path("lastRound").path("rows")).hasSize(WORKERS);
            assertThat(shown.path("workers").get(0).path("accepted").asLong()).isEqualTo(20);

            assertThat(serve("afresh", "--unsigned", "--rounds=20").sentence())
                    .isEqualTo(
                            "run afresh is complete: version 20 is published and --rounds is 20;"
                                    + " increase --rounds to continue it, or pass --new to start"
                                    + " over");
            assertThat(levee("serve", "--run=afresh", "--unsigned", "--model=mnist-cnn").sentence())
                    .isEqualTo(
                            "run afresh has versions of another model than --model mnist-cnn; pass"
                                    + " --new to start over, or another --run to keep it");
            assertThat(serve("afresh", "--unsigned", "--optimizer=adam").sentence())
                    .startsWith(
                            "run afresh cannot continue from version 20: it has 0 vectors of an"
                                    + " optimizer, and this one needs 2; use the run's options, ");

            CommandLineRun longer = serve("afresh", "--unsigned", "--rounds=30");
            assertThat(longer.code()).as(longer.err()).isZero();
            assertThat(longer.err()).contains("run afresh continues from version 20");
            shown = topics("afresh", "--unsigned");
            assertThat(shown.path("id").asLong()).isEqualTo(run);
            assertThat(shown.path("version").asLong()).isEqualTo(30);
            assertThat(shown.path("workers").get(0).path("accepted").asLong()).isEqualTo(30);

            CommandLineRun anew = serve("afresh", "--unsigned", "--rounds=5", "--new");
            assertThat(anew.code()).as(anew.err()).isZero();
            shown = topics("afresh", "--unsigned");
            assertThat(shown.path("id").asLong()).isGreaterThan(run);
            assertThat(shown.path("version").asLong()).isEqualTo(5);
        }
    }

    @Test
    void workersWithKeysAreServed() throws Exception {
        KeyDirectory keys = new KeyDirectory(directory.resolve("keys"));
        String given = "--keys=" + keys.path();
        assertThat(serve("signed", given).sentence())
                .isEqualTo(
                        "--keys "
                                + keys.path()
                                + " has no job.key; create it with levee keys generate job, or run"
                                + " without keys with --unsigned");
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
        try (OutsideWorkers workers = workers("signed", keys)) {
            CommandLineRun run =
                    serve(
                            "signed",
                            given,
                            "--rounds=60",
                            "--compression=zstd",
                            "--optimizer=adam",
                            "--learning-rate=0.01",
                            "--checkpoint-interval=1s");
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
    void topicsAreMadeForWhatTheyHold() throws Exception {
        KafkaAddress address = new KafkaAddress(broker.bootstrapServers(), Map.of());
        Topics topics = new Topics("made");
        TopicPlan plan = new TopicPlan(3, (short) -1, Duration.ofMinutes(2));
        Instant now = Instant.parse("2026-01-02T03:04:05Z");
        KafkaSetup setup =
                KafkaSetup.of(address, topics, plan, request(false), Clock.fixed(now, UTC));
        assertThat(setup.version()).isEqualTo(-1);
        assertThat(setup.edge().run()).isEqualTo(now.toEpochMilli() * 1000);
        assertThat(setup.edge().submitted()).isEqualTo(setup.edge().run());
        assertThat(setup.edge().startingOffsets()).isEqualTo(Map.of(0, 0L, 1, 0L, 2, 0L));
        try (Admin admin = broker.admin()) {
            assertThat(config(admin, "made.models"))
                    .containsEntry("cleanup.policy", "compact")
                    .containsEntry("message.timestamp.type", "LogAppendTime")
                    .containsEntry("max.message.bytes", "1048576");
            assertThat(config(admin, "made.states")).containsEntry("cleanup.policy", "compact");
            assertThat(config(admin, "made.gradients"))
                    .containsEntry("cleanup.policy", "delete")
                    .containsEntry("message.timestamp.type", "LogAppendTime")
                    .containsEntry("compression.type", "uncompressed")
                    .containsEntry("retention.ms", "120000")
                    .containsEntry("retention.bytes", String.valueOf(256 << 20));
        }
        // What is there already is used: a later run has nothing to read from before.
        setup = KafkaSetup.of(address, topics, plan, request(false), Clock.fixed(now, UTC));
        assertThat(setup.edge().partitions()).isEqualTo(3);
    }

    private static KafkaSetup.Request request(boolean resumed) {
        Model model = Models.open("logistic", new int[] {1, 28, 28}, 10);
        Training training =
                new TrainingBuilder("01234567", "strokes:", model, Rules.parse("average"), 4, 0)
                        .build();
        return new KafkaSetup.Request(training, RunKeys.NONE, false, resumed, Evaluator.NONE);
    }

    private static Map<String, String> config(Admin admin, String topic) throws Exception {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        return admin.describeConfigs(List.of(resource)).all().get().get(resource).entries().stream()
                .collect(Collectors.toMap(ConfigEntry::name, entry -> entry.value()));
    }

    @Test
    void topicsThatDoNotFitAreNamedInOneSentence() throws Exception {
        Map<String, String> right = Map.of("message.timestamp.type", "LogAppendTime");
        try (Admin admin = broker.admin()) {
            create(admin, "times.models", 1, Map.of());
            create(admin, "sizes.states", 1, right);
            create(admin, "counts.models", 2, right);
            create(admin, "counts.gradients", 3, right);
            create(admin, "two.models", 2, right);
        }
        assertThat(serve("times", "--unsigned").sentence())
                .isEqualTo(
                        "topic times.models needs message.timestamp.type=LogAppendTime, so that"
                                + " senders cannot choose a record's timestamp, and has CreateTime");
        assertThat(serve("sizes", "--unsigned").sentence())
                .startsWith("topic sizes.states needs max.message.bytes of at least 4194304,");
        assertThat(serve("counts", "--unsigned").sentence())
                .isEqualTo(
                        "counts.gradients has 3 partitions and counts.models has 2, but all topics"
                                + " of a run need the same number");
        assertThat(serve("two", "--unsigned", "--partitions=8").sentence())
                .isEqualTo(
                        "--partitions must be 2, like the existing topics of run two (two.models),"
                                + " got 8");
    }

    /** Devices would wait in other partitions than those to which the job writes. */
    @Test
    void theTopicOfSumsHasAsManyPartitionsAsTheOthers() throws Exception {
        Topics topics = new Topics("left");
        try (Admin admin = broker.admin()) {
            create(admin, topics.sums(), 2, Map.of("message.timestamp.type", "LogAppendTime"));
        }
        Model model = Models.open("logistic", new int[] {1, 28, 28}, 10);
        Training sums =
                new TrainingBuilder("01234567", "strokes:", model, Rules.parse("average"), 8, 0)
                        .deadline(Duration.ofSeconds(1))
                        .masking(new Masking.Recoverable(SumRates.parse("dropout=0.375")))
                        .rowsHeld(2)
                        .build();
        KafkaSetup.Request request =
                new KafkaSetup.Request(sums, RunKeys.NONE, false, false, Evaluator.NONE);
        KafkaAddress address = new KafkaAddress(broker.bootstrapServers(), Map.of());
        Clock clock = Clock.fixed(Instant.EPOCH, UTC);
        TopicPlan three = new TopicPlan(3, (short) -1, Duration.ofMinutes(10));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KafkaSetup.of(address, topics, three, request, clock))
                .withMessage(
                        "--partitions must be 2, like the existing topics of run left (left.sums),"
                                + " got 3");
        TopicPlan any = new TopicPlan(null, (short) -1, Duration.ofMinutes(10));
        KafkaSetup setup = KafkaSetup.of(address, topics, any, request, clock);
        assertThat(setup.edge().partitions()).isEqualTo(2);
    }

    private static void create(
            Admin admin, String topic, int partitions, Map<String, String> config)
            throws Exception {
        admin.createTopics(
                        List.of(
                                new NewTopic(topic, Optional.of(partitions), Optional.empty())
                                        .configs(config)))
                .all()
                .get();
    }

    @Test
    void wrongBrokersAndTopicsAreNamedInOneSentence() throws Exception {
        String address = broker.bootstrapServers();
        assertThat(levee("topics", "--run=none", "--unsigned").sentence())
                .isEqualTo(
                        "there is no run none at "
                                + address
                                + "; levee serve --run none starts one");
        CommandLineRun run =
                CommandLineRun.of("topics", "--bootstrap-servers=127.0.0.1:1", "--unsigned");
        assertThat(run.sentence())
                .isEqualTo(
                        "--bootstrap-servers 127.0.0.1:1: no Kafka broker answers there within 15"
                                + " s");
        assertThat(run.code()).isOne();
    }
}
