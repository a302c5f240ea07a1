package dev.levee.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.levee.benchmarks.loop.NoisePictures;
import dev.levee.jobs.cluster.LocalCluster;
import dev.levee.jobs.internal.cli.LeveeCommand;
import dev.levee.jobs.internal.cluster.LeveeHome;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Compares the step time that {@code levee place} predicts for a pipeline with the time that {@code
 * levee train} takes with this plan, on a cluster of TaskManagers with one slot each. Arguments:
 * the cluster's address, or {@code local} to start one; the part of a core for each TaskManager
 * (1); bits per second of a link (10G); the network (resnet18); rounds (110); TaskManagers (3);
 * seconds at the start whose rounds are left out, because code is being compiled (70). {@code
 * benchmarks/pipeline-links} creates a cluster with few cores and slow links.
 */
final class Pipelines {
    private static final int BATCH = 256;
    private static final int MICRO_BATCHES = 8;
    private static final int SIDE = 32;
    private static final int CLASSES = 10;

    /** Minimum number of measured rounds. */
    private static final int COUNTED = 8;

    private Pipelines() {}

    public static void main(String[] arguments) throws Exception {
        Machine.print();
        String target = argument(arguments, 0, "local");
        double speed = Double.parseDouble(argument(arguments, 1, "1"));
        String link = argument(arguments, 2, "10G");
        String network = argument(arguments, 3, "resnet18");
        int rounds = Integer.parseInt(argument(arguments, 4, "110"));
        int stages = Integer.parseInt(argument(arguments, 5, "3"));
        double first = Double.parseDouble(argument(arguments, 6, "70"));
        Path folder = Files.createTempDirectory("levee-pipelines-");
        if (!target.equals("local")) {
            compare(folder, target, speed, link, network, rounds, stages, first);
            return;
        }
        try (LocalCluster cluster =
                LocalCluster.start(
                        new LocalCluster.Options(
                                folder.resolve("cluster"),
                                LeveeHome.find().clusterClassPath(),
                                stages,
                                1,
                                0,
                                512,
                                Map.of()))) {
            compare(
                    folder,
                    cluster.restUrl().toString(),
                    speed,
                    link,
                    network,
                    rounds,
                    stages,
                    first);
        }
    }

    private static String argument(String[] arguments, int place, String missing) {
        return arguments.length > place ? arguments[place] : missing;
    }

    private static void compare(
            Path folder,
            String target,
            double speed,
            String link,
            String network,
            int rounds,
            int stages,
            double first)
            throws IOException {
        Path plan = folder.resolve("plan.json");
        run(
                "place",
                "--network=" + network,
                "--image-size=" + SIDE,
                "--classes=" + CLASSES,
                "--batch-size=" + BATCH,
                "--devices=" + stages + "x4G@" + speed,
                "--link=" + link,
                "--algorithm=stages",
                "--micro-batches=" + MICRO_BATCHES,
                "--schedule=1f1b",
                "--json=" + plan);
        try (NoisePictures pictures = new NoisePictures()) {
            run(
                    "train",
                    "--target=" + target,
                    "--dataset=" + pictures.uri(),
                    "--model=" + network,
                    "--pipeline=" + plan,
                    "--batch-size=" + BATCH,
                    "--workers=1",
                    "--byzantine=0",
                    "--attack=none",
                    "--aggregator=average",
                    "--momentum-side=server",
                    "--eval-interval=" + rounds,
                    "--parallelism=" + stages,
                    "--rounds=" + rounds,
                    "--output=" + folder.resolve("run"));
        }
        print(
                new ObjectMapper().readTree(Files.readString(plan)),
                network,
                times(folder.resolve("run"), first, "compute"),
                times(folder.resolve("run"), first, "seconds"));
    }

    private static void run(String... arguments) {
        int code = LeveeCommand.commandLine().execute(arguments);
        if (code != 0) {
            throw new IllegalStateException(arguments[0] + " ended with " + code);
        }
    }

    /**
     * The sorted seconds of the measured rounds.
     *
     * @param column column of metrics.csv: compute for the worker's steps, seconds for whole rounds
     */
    private static List<Double> times(Path run, double first, String column) throws IOException {
        List<String> lines = Files.readAllLines(run.resolve("metrics.csv"));
        List<String> columns = List.of(lines.get(0).split(","));
        List<Double> times = new ArrayList<>();
        double passed = 0;
        for (String line : lines.subList(1, lines.size())) {
            String[] values = line.split(",", -1);
            String round = values[columns.indexOf("seconds")];
            if (!round.isEmpty()) {
                if (passed >= first) {
                    times.add(Double.parseDouble(values[columns.indexOf(column)]));
                }
                passed += Double.parseDouble(round);
            }
        }
        if (times.size() < COUNTED) {
            throw new IllegalStateException(
                    "only %d rounds began after %.0f s, of %.0f s"
                            .formatted(times.size(), first, passed));
        }
        return times.stream().sorted().toList();
    }

    private static void print(JsonNode plan, String name, List<Double> steps, List<Double> rounds) {
        double passes = plan.path("makespanSeconds").asDouble();
        double around = plan.path("exchangeSeconds").asDouble();
        double measured = steps.get(steps.size() / 2);
        double round = rounds.get(rounds.size() / 2);
        System.out.printf(
                Locale.ROOT,
                "%s: predicted %.3f s a step (passes %.3f s, parameters, samples and gradients"
                        + " %.3f s), measured %.3f s (median of %d, %.3f to %.3f s): %+.1f %%; a round"
                        + " %.3f s: %+.1f %%%n",
                name,
                passes + around,
                passes,
                around,
                measured,
                steps.size(),
                steps.get(0),
                steps.get(steps.size() - 1),
                100 * (measured / (passes + around) - 1),
                round,
                100 * (round / (passes + around) - 1));
    }
}
