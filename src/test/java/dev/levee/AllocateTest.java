package dev.levee;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.levee.jobs.cluster.LocalCluster;
import dev.levee.jobs.internal.cli.CommandLineRun;
import dev.levee.k8s.allocator.JobMemory;
import dev.levee.k8s.allocator.store.FileJobStore;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Allocators on a real cluster of four slots with real jobs. */
@ExtendWith(SharedCluster.class)
abstract class AllocateTest {
    private static final String FOREVER = "100000000";

    @TempDir static Path directory;
    private static LocalCluster cluster;
    private static Pace pace;
    private final List<CommandRun> runs = new ArrayList<>();

    @BeforeAll
    static void start(LocalCluster shared) throws Exception {
        pace = new Pace(directory.resolve("pace"));
        pace.millisecondsPerGradient(50);
        cluster = shared;
    }

    @AfterEach
    void cancelJobs() throws Exception {
        for (JsonNode job : jobs()) {
            if (alive(job)) {
                cluster.rest().patch("/jobs/" + job.path("jid").asText());
            }
        }
        for (CommandRun run : runs) {
            run.exitCode();
        }
    }

    private static JsonNode jobs() throws IOException {
        return cluster.rest().get("/jobs/overview").path("jobs");
    }

    private static boolean alive(JsonNode job) {
        return List.of("CREATED", "RUNNING", "RESTARTING").contains(job.path("state").asText());
    }

    /** Submits a job that continues until it is cancelled; its id. */
    private String submit(String output, String... more) throws Exception {
        List<String> before = ids();
        runs.add(
                CommandRun.train(
                        List.of(
                                "--target=" + cluster.restUrl(),
                                "--dataset=strokes:?train=1000&test=100",
                                "--model=" + pace.model(),
                                "--batch-size=10",
                                "--byzantine=0",
                                "--aggregator=average",
                                "--rounds=" + FOREVER,
                                "--checkpoint-interval=1s",
                                "--output=" + directory.resolve(output)),
                        more));
        RunningJob.until("a new job", () -> ids().size() > before.size());
        return ids().stream().filter(id -> !before.contains(id)).findFirst().orElseThrow();
    }

    private static List<String> ids() throws IOException {
        List<String> ids = new ArrayList<>();
        jobs().forEach(job -> ids.add(job.path("jid").asText()));
        return ids;
    }

    private static void awaitRunning(String job, int parallelism) throws Exception {
        RunningJob.until(
                job + " with parallelism " + parallelism,
                () -> {
                    JsonNode details = cluster.rest().get("/jobs/" + job);
                    int most = 0;
                    for (JsonNode vertex : details.path("vertices")) {
                        most = Math.max(most, vertex.path("parallelism").asInt());
                    }
                    return details.path("state").asText().equals("RUNNING") && most == parallelism;
                });
    }

    @Test
    void aWaitingJobStartsInSlotsThatARunningOneGivesBackAndTheLastOneStandingGetsAll()
            throws Exception {
        Path home = Files.createDirectories(directory.resolve("shared"));
        String first =
                submit(
                        "first",
                        "--workers=2",
                        "--elastic=min=1,max=4,max-batch=160,scaling=linear");
        awaitRunning(first, 2);
        try (AllocatorProcess allocator = AllocatorProcess.greedy(cluster, home)) {
            allocator.awaitLine("job " + first + " 2 to 4 workers");
            awaitRunning(first, 4);
            allocator.awaitLine("job " + first + ".* workers, batch 20 to 40, ");
            RunningJob.until(
                    "the batch is told", () -> control("first").path("batchSize").asInt() == 40);
            assertThat(control("first").path("learningRate").asDouble()).isGreaterThan(1);
            allocator.kill();
        }
        String second =
                submit(
                        "second",
                        "--workers=2",
                        "--elastic=min=2,max=4,max-batch=160,scaling=linear");
        try (AllocatorProcess allocator =
                AllocatorProcess.start(cluster, home, "--policy=era-no-batch")) {
            allocator.awaitLine("job " + second + " starts with 2 workers");
            awaitRunning(second, 2);
            awaitRunning(first, 2);
            cluster.rest().patch("/jobs/" + first);
            allocator.awaitLine("job " + first + " has ended");
            allocator.awaitLine("job " + second + " 2 to 4 workers, batch 10, ");
            awaitRunning(second, 4);
            assertThat(allocator.interrupt()).isNotZero();
        }
        assertThat(FileJobStore.load(AllocatorProcess.store(home)).jobs()).containsKey(second);
    }

    /** Submits an estimate that continues until it is cancelled; its id. */
    private String estimate(String... more) throws Exception {
        StringBuilder csv = new StringBuilder("y,d,x\n");
        for (int i = 0; i < 500; i++) {
            csv.append("%d.%d,%d,%d\n".formatted(i % 7, i % 3, i * i % 11, i % 13));
        }
        Path table = Files.writeString(directory.resolve("table.csv"), csv);
        List<String> before = ids();
        List<String> words =
                new ArrayList<>(
                        List.of(
                                "estimate",
                                "--target=" + cluster.restUrl(),
                                "--data=csv:" + table,
                                "--outcome=y",
                                "--treatment=d",
                                "--learner=forest(trees=50)",
                                "--repetitions=100000",
                                "--output=" + directory.resolve("effect")));
        words.addAll(List.of(more));
        runs.add(CommandRun.start(words.toArray(String[]::new)));
        RunningJob.until("a new job", () -> ids().size() > before.size());
        return ids().stream().filter(id -> !before.contains(id)).findFirst().orElseThrow();
    }

    @Test
    void anEstimateMakesRoomForATrainingAndGetsItsSlotsBack() throws Exception {
        String estimate = estimate("--elastic=min=1,max=4");
        awaitRunning(estimate, 4);
        String training =
                submit(
                        "beside",
                        "--workers=1",
                        "--elastic=min=1,max=1,max-batch=160,scaling=linear");
        Path home = Files.createDirectories(directory.resolve("both"));
        try (AllocatorProcess allocator =
                AllocatorProcess.start(cluster, home, "--policy=era-no-batch")) {
            allocator.awaitLine("job " + training + " starts with 1 worker");
            awaitRunning(training, 1);
            awaitRunning(estimate, 3);
            // Other policies know by it what a slot is worth.
            RunningJob.until("fits are measured", () -> measured(home, estimate));
            cluster.rest().patch("/jobs/" + training);
            allocator.awaitLine("job " + estimate + " 3 to 4 workers");
            awaitRunning(estimate, 4);
            assertThat(allocator.interrupt()).isNotZero();
        }
    }

    private static boolean measured(Path home, String job) throws IOException {
        JobMemory memory = FileJobStore.load(AllocatorProcess.store(home)).jobs().get(job);
        return memory != null && !memory.history().isEmpty();
    }

    @Test
    void othersKeepTheirSlotsAndADryRunChangesNothing() throws Exception {
        String plain = submit("plain", "--workers=1", "--parallelism=1");
        awaitRunning(plain, 1);
        String elastic =
                submit(
                        "elastic",
                        "--workers=1",
                        "--elastic=min=1,max=8,max-batch=160,scaling=linear");
        awaitRunning(elastic, 1);
        Path home = Files.createDirectories(directory.resolve("dry"));
        Pattern decision =
                Pattern.compile(
                        "  3 slots, 1 job\n(?s:.*)"
                                + elastic
                                + "  1 to 3 +10.*from 1 to 3 workers \\(1 to 8 allowed\\)");
        RunningJob.until(
                "the job would get more",
                () -> decision.matcher(decided(home, "--dry-run")).find());
        assertThat(AllocatorProcess.store(home)).doesNotExist();
        assertThat(directory.resolve("elastic/control.json")).doesNotExist();
        decided(home);
        awaitRunning(elastic, 3);
        awaitRunning(plain, 1);
        JobMemory memory = FileJobStore.load(AllocatorProcess.store(home)).jobs().get(elastic);
        assertThat(memory.lastWorkers()).isEqualTo(3);
    }

    /** What an allocator prints that decides once. */
    private static String decided(Path home, String... more) throws IOException {
        List<String> words =
                new ArrayList<>(
                        List.of(
                                "allocate",
                                "--once",
                                "--target=" + cluster.restUrl(),
                                "--store=" + AllocatorProcess.store(home)));
        words.addAll(List.of(more));
        CommandLineRun run = CommandLineRun.of(words.toArray(String[]::new));
        if (run.code() != 0) {
            throw new IOException(run.err());
        }
        return run.out();
    }

    private static JsonNode control(String output) throws IOException {
        return new ObjectMapper()
                .readTree(directory.resolve(output).resolve("control.json").toFile());
    }
}
