package dev.levee.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.levee.jobs.cluster.LocalCluster;
import dev.levee.jobs.internal.cli.LeveeCommand;
import dev.levee.jobs.internal.cluster.Home;
import dev.levee.k8s.flink.rest.Await;
import dev.levee.k8s.flink.rest.FlinkRest;
import dev.levee.k8s.flink.rest.OperatorMetrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Federated rounds whose server crashes, beside the same rounds undisturbed: rounds and score over
 * time, as figure 6.18 of the thesis has them. A GAN is trained on a real cluster of two
 * TaskManager processes; of one of two runs a TaskManager is killed with {@code kill -9} in the
 * middle of a round after a third, and the JobManager after two thirds. Both are started again at
 * once, as a supervisor does.
 */
public final class ServerCrash {
    private static final int ROUNDS = 150;
    private static final int EVALUATED = 10;
    private static final int STEP_SECONDS = 5;
    private static final long LOOK_NANOS = 100_000_000;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /**
     * A run that has ended.
     *
     * @param rounds done, by seconds since the first was, as the cluster showed them
     * @param frechet distance of generated images, by the same seconds
     * @param hash of the final model
     */
    private record Course(
            NavigableMap<Double, Double> rounds,
            NavigableMap<Double, Double> frechet,
            String hash) {
        /** The two longest times without a round that had not been there before. */
        String pauses() {
            List<Double> pauses = new ArrayList<>();
            double most = 0;
            double since = 0;
            for (Map.Entry<Double, Double> each : rounds.entrySet()) {
                if (each.getValue() > most) {
                    pauses.add(each.getKey() - since);
                    most = each.getValue();
                    since = each.getKey();
                }
            }
            pauses.sort(Comparator.reverseOrder());
            return String.format(Locale.ROOT, "%.1f and %.1f s", pauses.get(0), pauses.get(1));
        }
    }

    /** What happens to a cluster while a run goes on. */
    @FunctionalInterface
    private interface Disturbance {
        void strike(LocalCluster cluster, Thread run) throws Exception;
    }

    private ServerCrash() {}

    /** Takes a folder for the results; a temporary one if there is none. */
    public static void main(String[] args) throws Exception {
        Machine.print();
        Path directory =
                args.length > 0
                        ? Files.createDirectories(Path.of(args[0]))
                        : Files.createTempDirectory("levee-crash-");
        Course undisturbed = course(directory, "undisturbed", (cluster, run) -> {});
        Course crashed = course(directory, "crashed", ServerCrash::crash);
        print(undisturbed, crashed);
        System.exit(undisturbed.hash().equals(crashed.hash()) ? 0 : 1);
    }

    private static void crash(LocalCluster cluster, Thread run) throws Exception {
        awaitRound(cluster.rest(), run, ROUNDS / 3);
        cluster.killTaskManager(1);
        cluster.addTaskManager();
        awaitRound(cluster.rest(), run, ROUNDS * 2 / 3);
        cluster.killJobManager();
        cluster.recover();
    }

    private static Course course(Path directory, String name, Disturbance disturbance)
            throws Exception {
        Path output = directory.resolve(name);
        NavigableMap<Double, Double> seen = new ConcurrentSkipListMap<>();
        try (LocalCluster cluster =
                LocalCluster.start(
                        new LocalCluster.Options(
                                directory.resolve("cluster-" + name),
                                Home.find().clusterClassPath(),
                                2,
                                1,
                                0,
                                512,
                                true,
                                Map.of("metrics.fetcher.update-interval", "50")))) {
            Thread run = federate(cluster, output);
            Thread watch = new Thread(() -> watch(cluster.rest(), run, seen), "watch");
            watch.start();
            disturbance.strike(cluster, run);
            run.join();
            watch.join();
        }
        return read(output, seen);
    }

    /** Looks how far a run is until it is over. */
    private static void watch(FlinkRest rest, Thread run, NavigableMap<Double, Double> seen) {
        long start = 0;
        while (run.isAlive()) {
            try {
                double round = round(rest);
                start = start == 0 && round > 0 ? System.nanoTime() : start;
                if (start > 0 && round > 0) {
                    seen.put((System.nanoTime() - start) / 1e9, round);
                }
            } catch (IOException e) {
                // Its JobManager has been killed: the next look will tell.
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        seen.put((System.nanoTime() - start) / 1e9, (double) ROUNDS);
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

    private static void awaitRound(FlinkRest rest, Thread run, int round) {
        boolean[] there = new boolean[1];
        Await.until(
                PATIENCE,
                () -> {
                    there[0] = round(rest) >= round;
                    return there[0] || !run.isAlive();
                });
        if (!there[0]) {
            throw new IllegalStateException(
                    "nobody saw round " + round + " before the run was over, or for " + PATIENCE);
        }
    }

    private static double round(FlinkRest rest) throws IOException {
        for (JsonNode job : rest.get("/jobs/overview").path("jobs")) {
            String id = job.path("jid").asText();
            for (JsonNode vertex : rest.get("/jobs/" + id).path("vertices")) {
                if (vertex.path("name").asText().contains("Round coordinator")) {
                    OperatorMetrics metrics =
                            OperatorMetrics.read(
                                    rest,
                                    id,
                                    vertex.path("id").asText(),
                                    "Round_coordinator",
                                    List.of("samples", "samplesTotal"));
                    return ROUNDS * metrics.get("samples") / metrics.get("samplesTotal");
                }
            }
        }
        return 0;
    }

    private static Course read(Path output, NavigableMap<Double, Double> seen) throws IOException {
        JsonNode summary = new ObjectMapper().readTree(output.resolve("summary.json").toFile());
        NavigableMap<Double, Double> frechet = new TreeMap<>();
        JsonNode images = summary.path("images");
        for (int i = 0; i < images.path("rounds").size(); i++) {
            long round = images.path("rounds").get(i).asLong();
            double at =
                    seen.entrySet().stream()
                            .filter(each -> round == 0 || each.getValue() >= round)
                            .findFirst()
                            .orElseThrow()
                            .getKey();
            frechet.put(at, images.path("frechet").get(i).asDouble());
        }
        return new Course(seen, frechet, summary.path("parametersSha256").asText());
    }

    private static void print(Course undisturbed, Course crashed) {
        System.out.printf(
                "%nTaskManager killed after round %d, JobManager after round %d; final models %s;"
                        + " longest times without a new round: %s undisturbed, %s with crashes%n%n",
                ROUNDS / 3,
                ROUNDS * 2 / 3,
                undisturbed.hash().equals(crashed.hash()) ? "the same" : "not the same",
                undisturbed.pauses(),
                crashed.pauses());
        System.out.println("| seconds | rounds | with crashes | distance | with crashes |");
        System.out.println("|---".repeat(5) + "|");
        double end = Math.max(undisturbed.rounds().lastKey(), crashed.rounds().lastKey());
        for (int second = 0; second < end + STEP_SECONDS; second += STEP_SECONDS) {
            System.out.printf(
                    Locale.ROOT,
                    "| %d | %.0f | %.0f | %.0f | %.0f |%n",
                    second,
                    at(undisturbed.rounds(), second),
                    at(crashed.rounds(), second),
                    at(undisturbed.frechet(), second),
                    at(crashed.frechet(), second));
        }
    }

    private static double at(NavigableMap<Double, Double> values, double second) {
        Map.Entry<Double, Double> last = values.floorEntry(second);
        return (last == null ? values.firstEntry() : last).getValue();
    }
}
