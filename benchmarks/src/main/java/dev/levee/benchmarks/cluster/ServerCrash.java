package dev.levee.benchmarks.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.levee.benchmarks.Machine;
import dev.levee.jobs.cluster.LocalCluster;
import dev.levee.jobs.internal.cli.LeveeCommand;
import dev.levee.jobs.internal.cluster.LeveeHome;
import dev.levee.k8s.flink.rest.Await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Compares federated rounds with server crashes to undisturbed rounds: rounds and score over time,
 * as in figure 6.18 of the thesis. A GAN is trained on a real cluster of two TaskManager processes.
 * In the second run, {@code kill -9} hits a TaskManager in the middle of a round after a third of
 * the run, and the JobManager after two thirds. Both are restarted at once, as by a supervisor.
 */
public final class ServerCrash {
    private static final int ROUNDS = 150;
    private static final int EVALUATED = 5;
    private static final int STEP_SECONDS = 5;
    private static final long LOOK_NANOS = 100_000_000;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /**
     * The course of a finished run.
     *
     * @param rounds evaluated rounds by the time at which their picture appeared, in seconds since
     *     the first model
     * @param frechet distance of generated images, by evaluated round
     * @param hash hash of the final model
     */
    private record Course(
            NavigableMap<Double, Long> rounds, Map<Long, Double> frechet, String hash) {
        /** The two longest times between pictures. */
        String pauses() {
            List<Double> pauses = new ArrayList<>();
            double before = 0;
            for (double each : rounds.keySet()) {
                pauses.add(each - before);
                before = each;
            }
            pauses.sort(Comparator.reverseOrder());
            return String.format(Locale.ROOT, "%.1f and %.1f s", pauses.get(0), pauses.get(1));
        }

        long round(double second) {
            Map.Entry<Double, Long> last = rounds.floorEntry(second);
            return last == null ? 0 : last.getValue();
        }

        double distance(double second) {
            return frechet.get(round(second));
        }
    }

    /** Disturbs a cluster during a run. */
    @FunctionalInterface
    private interface Disturbance {
        void strike(LocalCluster cluster, Watch run) throws Exception;
    }

    private ServerCrash() {}

    /** Arguments: Flink's options for the clusters, as {@code NAME=VALUE}. */
    public static void main(String[] args) throws Exception {
        Machine.print();
        Map<String, String> options = new HashMap<>();
        for (String each : args) {
            String[] parts = each.split("=", 2);
            options.put(parts[0], parts[1]);
        }
        Path directory = Files.createTempDirectory("levee-crash-");
        Course undisturbed = course(directory, "undisturbed", options, (cluster, run) -> {});
        Course crashed = course(directory, "crashed", options, ServerCrash::crash);
        print(undisturbed, crashed);
        System.exit(undisturbed.hash().equals(crashed.hash()) ? 0 : 1);
    }

    private static void crash(LocalCluster cluster, Watch run) throws Exception {
        run.await(ROUNDS / 3);
        cluster.killTaskManager(1);
        cluster.addTaskManager();
        run.await(ROUNDS * 2 / 3);
        cluster.killJobManager();
        cluster.recover();
    }

    private static Course course(
            Path directory, String name, Map<String, String> options, Disturbance disturbance)
            throws Exception {
        Path output = directory.resolve(name);
        Watch watch = new Watch(output);
        try (LocalCluster cluster =
                LocalCluster.start(
                        new LocalCluster.Options(
                                directory.resolve("cluster-" + name),
                                LeveeHome.find().clusterClassPath(),
                                2,
                                1,
                                0,
                                512,
                                true,
                                options))) {
            Thread run = federate(cluster, output);
            watch.start();
            disturbance.strike(cluster, watch);
            run.join();
            watch.await(ROUNDS);
        }
        return read(output, watch.seen);
    }

    /**
     * Watches which pictures exist. The cluster's metrics are not used, because they may be a
     * minute old after the loss of a TaskManager.
     */
    private static final class Watch {
        private final Path folder;
        private final NavigableMap<Double, Long> seen = new ConcurrentSkipListMap<>();

        Watch(Path output) {
            folder = output.resolve("generated");
        }

        void start() {
            Thread thread = new Thread(this::look, "watch");
            thread.setDaemon(true);
            thread.start();
        }

        private void look() {
            long first = 0;
            long next = 0;
            while (next <= ROUNDS) {
                Path score = folder.resolve("round-%06d.json".formatted(next));
                if (Files.exists(score)) {
                    first = first == 0 ? System.nanoTime() : first;
                    seen.put((System.nanoTime() - first) / 1e9, next);
                    next += EVALUATED;
                }
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }

        void await(long round) {
            boolean there =
                    Await.until(
                            PATIENCE,
                            () -> !seen.isEmpty() && seen.lastEntry().getValue() >= round);
            if (!there) {
                throw new IllegalStateException("no round " + round + " within " + PATIENCE);
            }
        }
    }

    private static Thread federate(LocalCluster cluster, Path output) {
        String[] arguments = {
            "federate",
            "--target=" + cluster.restUrl(),
            "--algorithm=fegan",
            "--gan=lsgan:width=8,latent=16",
            "--dataset=strokes:?train=2500",
            "--devices=20",
            "--per-round=2",
            "--local-steps=10",
            "--batch-size=16",
            "--learning-rate=0.002",
            "--rounds=" + ROUNDS,
            "--eval-interval=" + EVALUATED,
            "--parallelism=2",
            "--checkpoint-interval=1s",
            "--output=" + output
        };
        Thread thread = new Thread(() -> LeveeCommand.commandLine().execute(arguments), "federate");
        thread.start();
        return thread;
    }

    private static Course read(Path output, NavigableMap<Double, Long> seen) throws IOException {
        JsonNode summary = new ObjectMapper().readTree(output.resolve("summary.json").toFile());
        JsonNode images = summary.path("images");
        Map<Long, Double> frechet = new HashMap<>();
        for (int i = 0; i < images.path("rounds").size(); i++) {
            frechet.put(
                    images.path("rounds").get(i).asLong(),
                    images.path("frechet").get(i).asDouble());
        }
        return new Course(seen, frechet, summary.path("parametersSha256").asText());
    }

    private static void print(Course undisturbed, Course crashed) {
        System.out.printf(
                "%nTaskManager killed after round %d, JobManager after round %d; final models %s;"
                        + " longest times from one picture to the next: %s undisturbed, %s with crashes%n%n",
                ROUNDS / 3,
                ROUNDS * 2 / 3,
                undisturbed.hash().equals(crashed.hash()) ? "the same" : "not the same",
                undisturbed.pauses(),
                crashed.pauses());
        System.out.println(
                "| seconds | evaluated round | with crashes | distance | with crashes |");
        System.out.println("|---".repeat(5) + "|");
        double end = Math.max(undisturbed.rounds().lastKey(), crashed.rounds().lastKey());
        for (int second = 0; second < end + STEP_SECONDS; second += STEP_SECONDS) {
            System.out.printf(
                    Locale.ROOT,
                    "| %d | %d | %d | %.0f | %.0f |%n",
                    second,
                    undisturbed.round(second),
                    crashed.round(second),
                    undisturbed.distance(second),
                    crashed.distance(second));
        }
    }
}
