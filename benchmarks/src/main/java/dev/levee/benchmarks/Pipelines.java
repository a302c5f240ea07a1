package dev.levee.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.levee.benchmarks.loop.NoisePictures;
import dev.levee.featureextraction.split.Bandwidth;
import dev.levee.jobs.cluster.LocalCluster;
import dev.levee.jobs.internal.cli.LeveeCommand;
import dev.levee.jobs.internal.cluster.Home;
import dev.levee.learners.layers.LayeredNetwork;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The step time that {@code levee place} predicts for a pipeline, and the one that {@code levee
 * train} has with this plan on a cluster of TaskManagers with one slot each. Arguments: the
 * cluster's address, or {@code local} to start one; the part of a core that a TaskManager has (1);
 * bits per second of a link (10G); the network (resnet18); rounds (70); TaskManagers (3); rounds
 * that do not count, because code is compiled while they run (50). {@code
 * benchmarks/pipeline-links} makes a cluster with few cores and slow links.
 */
final class Pipelines {
    private static final int BATCH = 256;
    private static final int MICRO_BATCHES = 8;
    private static final int SIDE = 32;
    private static final int CLASSES = 10;

    /** What of an Ethernet frame is not header. */
    private static final double PAYLOAD = 1448.0 / 1514;

    /** Rounds that count, at least. */
    private static final int COUNTED = 8;

    private Pipelines() {}

    public static void main(String[] arguments) throws Exception {
        Machine.print();
        String target = argument(arguments, 0, "local");
        double speed = Double.parseDouble(argument(arguments, 1, "1"));
        String link = argument(arguments, 2, "10G");
        String network = argument(arguments, 3, "resnet18");
        int rounds = Integer.parseInt(argument(arguments, 4, "70"));
        int stages = Integer.parseInt(argument(arguments, 5, "3"));
        int first = Integer.parseInt(argument(arguments, 6, "50"));
        if (rounds < first + COUNTED) {
            throw new IllegalArgumentException(
                    "there must be at least %d rounds, of which the first %d do not count, got %d"
                            .formatted(first + COUNTED, first, rounds));
        }
        Path folder = Files.createTempDirectory("levee-pipelines-");
        if (!target.equals("local")) {
            compare(folder, target, speed, link, network, rounds, stages, first);
            return;
        }
        try (LocalCluster cluster =
                LocalCluster.start(
                        new LocalCluster.Options(
                                folder.resolve("cluster"),
                                Home.find().clusterClassPath(),
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
            int first)
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
                PAYLOAD * Bandwidth.parse(link).bitsPerSecond() / Byte.SIZE,
                steps(folder.resolve("run"), first));
    }

    private static void run(String... arguments) {
        int code = LeveeCommand.commandLine().execute(arguments);
        if (code != 0) {
            throw new IllegalStateException(arguments[0] + " ended with " + code);
        }
    }

    /** Seconds that the worker took for each step, but for the first ones. */
    private static List<Double> steps(Path run, int first) throws IOException {
        List<String> lines = Files.readAllLines(run.resolve("metrics.csv"));
        int column = List.of(lines.get(0).split(",")).indexOf("compute");
        List<Double> steps = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String value = line.split(",", -1)[column];
            if (!value.isEmpty()) {
                steps.add(Double.parseDouble(value));
            }
        }
        if (steps.size() < first + COUNTED) {
            throw new IllegalStateException("only " + steps.size() + " rounds were measured");
        }
        return steps.subList(first, steps.size()).stream().sorted().toList();
    }

    private static void print(JsonNode plan, String name, double bandwidth, List<Double> steps) {
        LayeredNetwork network = LayeredNetwork.open(name, new int[] {3, SIDE, SIDE}, CLASSES);
        double passes = plan.path("makespanSeconds").asDouble();
        double around = seconds(plan, network, bandwidth);
        double measured = steps.get(steps.size() / 2);
        System.out.printf(
                Locale.ROOT,
                "%s: predicted %.3f s a step (passes %.3f s, samples and gradients around them"
                        + " %.3f s), measured %.3f s (median of %d, %.3f to %.3f s): %+.1f %%%n",
                name,
                passes + around,
                passes,
                around,
                measured,
                steps.size(),
                steps.get(0),
                steps.get(steps.size() - 1),
                100 * (measured / (passes + around) - 1));
    }

    /**
     * What a plan of layers does not have. The step begins when the worker has the model, which
     * stages have at about the same time. Before the first stage can compute a micro-batch, its
     * samples come from the worker, which lives beside the middle stage. The step ends when every
     * stage has sent its gradient to the servers, whose parts of the model lie in slots in their
     * order; the processor of a slot also receives what others send to its part.
     */
    private static double seconds(JsonNode plan, LayeredNetwork network, double bandwidth) {
        JsonNode stages = plan.path("stages");
        int[] sizes = new int[stages.size()];
        for (int stage = 0; stage < sizes.length; stage++) {
            int first = stages.get(stage).path("firstLayer").asInt();
            int last = stages.get(stage).path("lastLayer").asInt();
            sizes[stage] =
                    network.section(network.after(first - 1), network.after(last)).layout().size();
        }
        double samples = (double) network.bytes(network.start()) * BATCH / MICRO_BATCHES;
        double waits = 0;
        double[] ends = new double[plan.path("devices").size()];
        for (JsonNode each : plan.path("operators")) {
            String[] name = each.path("name").asText().split("#");
            if (name[0].startsWith("0.") && !name[0].endsWith(".backward")) {
                double come = (Integer.parseInt(name[1]) + 1) * samples / bandwidth;
                waits = Math.max(waits, come - each.path("start").asDouble());
            }
            int stage = Integer.parseInt(each.path("device").asText().substring(1));
            ends[stage] = Math.max(ends[stage], each.path("end").asDouble());
        }
        double end = 0;
        double handling = plan.path("handling").path("secondsPerByte").asDouble();
        double part = Arrays.stream(sizes).sum() / (double) ends.length;
        double from = 0;
        for (int stage = 0; stage < sizes.length; stage++) {
            double to = from + sizes[stage];
            double here = Math.min(to, (stage + 1) * part) - Math.max(from, stage * part);
            double sent = Float.BYTES * (sizes[stage] - Math.max(0, here));
            double received = Float.BYTES * (part - Math.max(0, here));
            double speed = plan.path("devices").path(stage).path("speed").asDouble();
            end =
                    Math.max(
                            end,
                            ends[stage] + sent / bandwidth + (sent + received) * handling / speed);
            from = to;
        }
        return waits + end - plan.path("makespanSeconds").asDouble();
    }
}
