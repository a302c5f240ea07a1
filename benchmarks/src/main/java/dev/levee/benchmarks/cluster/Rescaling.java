package dev.levee.benchmarks.cluster;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.benchmarks.Machine;
import dev.levee.jobs.cluster.LocalCluster;
import dev.levee.jobs.internal.cli.LeveeCommand;
import dev.levee.jobs.internal.cluster.LeveeHome;
import dev.levee.k8s.flink.RescaleTrigger;
import dev.levee.k8s.flink.rest.Await;
import dev.levee.k8s.flink.rest.FlinkRest;
import dev.levee.k8s.flink.rest.OperatorMetrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/**
 * Measures how fast a job is rescaled, on a real cluster of two TaskManager processes: the time
 * from new resource requirements until the first round with the new number of workers is finished,
 * and the time during which the job made no progress.
 */
public final class Rescaling {
    private static final int TURNS = 10;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private Rescaling() {}

    /**
     * Runs the benchmark.
     *
     * @param args checkpoint intervals; 1s, 5s and 10s by default
     */
    public static void main(String[] args) throws Exception {
        Machine.print();
        System.out.println(
                "| checkpoints | s to the first round, median | longest but the first | first"
                        + " | s standing still, median |");
        System.out.println("|---|---|---|---|---|");
        List<String> intervals = args.length > 0 ? List.of(args) : List.of("1s", "5s", "10s");
        for (String interval : intervals) {
            measure(interval);
        }
    }

    private static void measure(String interval) throws Exception {
        Path directory = Files.createTempDirectory("levee-rescaling-");
        // Short intervals, so that the benchmark sees the current state of the cluster.
        Map<String, String> options =
                Map.of("metrics.fetcher.update-interval", "50", "web.refresh-interval", "50ms");
        try (LocalCluster cluster =
                LocalCluster.start(
                        new LocalCluster.Options(
                                directory.resolve("cluster"),
                                LeveeHome.find().clusterClassPath(),
                                2,
                                2,
                                0,
                                256,
                                options))) {
            Thread training = train(cluster, directory, interval);
            String job = running(cluster.rest());
            double[] seconds = new double[TURNS];
            double[] pauses = new double[TURNS];
            for (int turn = 0; turn < TURNS; turn++) {
                int workers = turn % 2 == 0 ? 4 : 2;
                long before = cluster.rest().get("/jobs/" + job).path("now").asLong();
                long start = System.nanoTime();
                RescaleTrigger trigger = new RescaleTrigger(cluster.rest());
                trigger.change(job, () -> rescale(cluster.rest(), job, workers));
                trigger.await();
                await(cluster.rest(), job, workers, before);
                seconds[turn] = (System.nanoTime() - start) / 1e9;
                pauses[turn] = coordinator(cluster.rest(), job).get("pauseSeconds");
            }
            cluster.rest().patch("/jobs/" + job);
            training.join();
            double first = seconds[0];
            Arrays.sort(seconds, 1, TURNS);
            double longest = seconds[TURNS - 1];
            Arrays.sort(seconds);
            Arrays.sort(pauses);
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %.1f | %.1f | %.1f | %.1f |%n",
                    interval,
                    seconds[TURNS / 2],
                    longest,
                    first,
                    pauses[TURNS / 2]);
        }
    }

    private static Thread train(LocalCluster cluster, Path directory, String interval) {
        String[] arguments = {
            "train",
            "--target=" + cluster.restUrl(),
            "--dataset=strokes:?train=2000&test=500",
            "--byzantine=0",
            "--attack=none",
            "--aggregator=average",
            "--workers=2",
            "--elastic=min=1,max=4,max-batch=400",
            "--rounds=100000000",
            "--checkpoint-interval=" + interval,
            "--output=" + directory.resolve("run")
        };
        Thread thread = new Thread(() -> LeveeCommand.commandLine().execute(arguments), "train");
        thread.start();
        return thread;
    }

    private static String running(FlinkRest rest) {
        String[] found = new String[1];
        until(
                () -> {
                    for (JsonNode job : rest.get("/jobs/overview").path("jobs")) {
                        found[0] = job.path("jid").asText();
                    }
                    return found[0] != null
                            && coordinator(rest, found[0]).get("samplesPerSecond") > 0;
                });
        return found[0];
    }

    private static boolean rescale(FlinkRest rest, String job, int workers) throws IOException {
        StringJoiner vertices = new StringJoiner(",", "{", "}");
        for (JsonNode vertex : rest.get("/jobs/" + job).path("vertices")) {
            int upper = Math.min(workers, vertex.path("maxParallelism").asInt());
            vertices.add(
                    "\"%s\":{\"parallelism\":{\"lowerBound\":1,\"upperBound\":%d}}"
                            .formatted(vertex.path("id").asText(), upper));
        }
        rest.send("PUT", "/jobs/" + job + "/resource-requirements", vertices.toString());
        return true;
    }

    /**
     * Waits until the job is running again and has finished a round. The metrics alone may be older
     * than the restart.
     */
    private static void await(FlinkRest rest, String job, int workers, long before) {
        until(
                () ->
                        rest.get("/jobs/" + job).path("timestamps").path("RUNNING").asLong()
                                        > before
                                && coordinator(rest, job).get("activeWorkers") == workers);
    }

    private static OperatorMetrics coordinator(FlinkRest rest, String job) throws IOException {
        for (JsonNode vertex : rest.get("/jobs/" + job).path("vertices")) {
            if (vertex.path("name").asText().contains("Round coordinator")) {
                return OperatorMetrics.read(
                        rest,
                        job,
                        vertex.path("id").asText(),
                        "Round_coordinator",
                        List.of("decidedAt", "activeWorkers", "samplesPerSecond", "pauseSeconds"));
            }
        }
        return OperatorMetrics.none();
    }

    private static void until(Await.Condition condition) {
        if (!Await.until(PATIENCE, condition)) {
            throw new IllegalStateException("not within " + PATIENCE);
        }
    }
}
