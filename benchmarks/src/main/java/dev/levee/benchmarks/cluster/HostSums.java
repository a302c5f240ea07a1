package dev.levee.benchmarks.cluster;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.benchmarks.Machine;
import dev.levee.jobs.cluster.LocalCluster;
import dev.levee.jobs.internal.cli.LeveeCommand;
import dev.levee.jobs.internal.cluster.LeveeHome;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Measures what {@code --combine} saves: bytes and records that the parameter shards read in a
 * round, on real clusters of TaskManager processes. Compares runs without sums, with sums in each
 * process, and with a tree over these sums. A record that is passed on within a process counts with
 * the few bytes of its handle. The model is one block, so it is in one process.
 */
public final class HostSums {
    private static final int WORKERS = 20;
    private static final int ROUNDS = 20;

    private HostSums() {}

    /**
     * Runs the benchmark.
     *
     * @param args numbers of TaskManagers; 1, 2 and 3 by default
     */
    public static void main(String[] args) throws Exception {
        Machine.print();
        System.out.println("taskmanagers  combine  bytes a round  records a round  round");
        List<String> counts = args.length > 0 ? List.of(args) : List.of("1", "2", "3");
        for (String count : counts) {
            measure(Integer.parseInt(count));
        }
    }

    private static void measure(int taskManagers) throws Exception {
        Path directory = Files.createTempDirectory("levee-host-sums-");
        try (LocalCluster cluster =
                LocalCluster.start(
                        new LocalCluster.Options(
                                directory.resolve("cluster"),
                                LeveeHome.find().clusterClassPath(),
                                taskManagers,
                                2,
                                0,
                                256,
                                Map.of()))) {
            Set<String> known = new HashSet<>();
            for (String combine : List.of("none", "host", "tree(2)", "tree(1)")) {
                train(cluster, directory, combine);
                print(cluster, taskManagers, combine, known);
            }
        }
    }

    private static void train(LocalCluster cluster, Path directory, String combine) {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "train",
                                "--target=" + cluster.restUrl(),
                                "--dataset=strokes:?train=2000&test=500",
                                "--byzantine=0",
                                "--attack=none",
                                "--aggregator=average",
                                "--workers=" + WORKERS,
                                "--batch-size=4",
                                "--rounds=" + ROUNDS,
                                "--output=" + directory.resolve(combine.replaceAll("\\W", ""))));
        if (!combine.equals("none")) {
            arguments.add("--combine=" + combine);
        }
        int code = LeveeCommand.commandLine().execute(arguments.toArray(String[]::new));
        if (code != 0) {
            throw new IllegalStateException("training ended with " + code);
        }
    }

    private static void print(
            LocalCluster cluster, int taskManagers, String combine, Set<String> known)
            throws IOException {
        for (JsonNode job : cluster.rest().get("/jobs/overview").path("jobs")) {
            String id = job.path("jid").asText();
            if (!known.add(id)) {
                continue;
            }
            for (JsonNode vertex : cluster.rest().get("/jobs/" + id).path("vertices")) {
                if (vertex.path("name").asText().contains("Parameter shards")) {
                    JsonNode metrics = vertex.path("metrics");
                    System.out.printf(
                            Locale.ROOT,
                            "%12d  %7s  %13.0f  %15.1f  %5.1f ms%n",
                            taskManagers,
                            combine,
                            metrics.path("read-bytes").asDouble() / ROUNDS,
                            metrics.path("read-records").asDouble() / ROUNDS,
                            job.path("duration").asDouble() / ROUNDS);
                }
            }
        }
    }
}
