package dev.levee.jobs.internal.cli;

import dev.levee.featureextraction.split.Bandwidth;
import dev.levee.featureextraction.split.Profiler;
import dev.levee.featureextraction.split.TrainingTimes;
import dev.levee.jobs.internal.cli.view.PlanView;
import dev.levee.jobs.internal.config.setting.Durations;
import dev.levee.jobs.internal.finetune.NetworkOption;
import dev.levee.jobs.internal.placement.ClusterOption;
import dev.levee.jobs.internal.placement.GraphFile;
import dev.levee.jobs.internal.placement.LayerTimes;
import dev.levee.jobs.internal.placement.MeasuredTransfers;
import dev.levee.jobs.internal.placement.NetworkModel;
import dev.levee.jobs.internal.placement.OnnxFile;
import dev.levee.jobs.internal.placement.PlanFile;
import dev.levee.jobs.internal.placement.StepExchange;
import dev.levee.jobs.internal.placement.TorchFile;
import dev.levee.jobs.internal.report.forecast.PlanReport;
import dev.levee.learners.layers.LayeredNetwork;
import dev.levee.learners.layers.NetworkStages;
import dev.levee.operators.placement.Algorithm;
import dev.levee.operators.placement.PipelineOrder;
import dev.levee.operators.placement.PlacementOptions;
import dev.levee.operators.placement.PlacementPlan;
import dev.levee.operators.placement.PlacementPlanner;
import dev.levee.operators.placement.graph.DeviceCluster;
import dev.levee.operators.placement.graph.HandlingCost;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.graph.Transfers;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Places the operators of a model on several devices. */
@Command(
        name = "place",
        description =
                "Place the operators of a model that does not fit on one device across "
                        + "several devices.",
        footer = {
            "",
            "docs/how-to/placement.md describes the algorithms and formats.",
            "Exit status: 0 done, 1 failed, 2 wrong usage or input, or the model does not fit."
        },
        abbreviateSynopsis = true)
final class PlaceCommand extends NetworkCommand {

    /** Number of values that each optimizer keeps per trained parameter. */
    private static final Map<String, Integer> OPTIMIZERS =
            Map.of("sgd", 0, "momentum", 1, "adagrad", 1, "rmsprop", 1, "adam", 2, "adamw", 2);

    /** File name endings of torch's formats. */
    private static final List<String> TORCH = List.of(".pt", ".pth", ".ts", ".torchscript");

    /** Options of the model, of which one is given. */
    private static final class Source {
        @Option(
                names = "--network",
                paramLabel = "NAME",
                description =
                        "Network, as for levee train --model or levee profile; the layers of "
                                + "its training step are placed.")
        private String network;

        @Option(
                names = "--graph",
                paramLabel = "FILE",
                description =
                        "Graph of your own operators, as JSON, a model in ONNX (FILE.onnx) or a "
                                + "module of TorchScript (FILE.pt), whose operators are measured.")
        private Path graph;
    }

    @ArgGroup(multiplicity = "1")
    private Source source;

    @Option(
            names = "--channels",
            paramLabel = "N",
            description = "Channels of the network's input (default: ${DEFAULT-VALUE}).")
    private int channels = 3;

    @Option(
            names = "--batch-size",
            paramLabel = "N",
            description =
                    "Images per training step; of an ONNX file, the extent of an open first "
                            + "dimension (default: ${DEFAULT-VALUE}).")
    private int batch = 32;

    @Option(
            names = "--optimizer",
            paramLabel = "NAME",
            description =
                    "Optimizer whose state takes memory: sgd, momentum, adagrad, rmsprop, "
                            + "adam or adamw (default: ${DEFAULT-VALUE}).")
    private String optimizer = "sgd";

    @Option(
            names = "--python",
            paramLabel = "COMMAND",
            description =
                    "Python interpreter with PyTorch that measures a TorchScript file (default: "
                            + "${DEFAULT-VALUE}).")
    private String python = "python3";

    @Option(
            names = "--gflops",
            paramLabel = "N",
            defaultValue = "20",
            description =
                    "Billions of floating-point operations per second of a device of speed 1, "
                            + "for the times of an ONNX file (default: ${DEFAULT-VALUE}).")
    private double gflops;

    @Option(
            names = "--forward-only",
            description = "Place the forward pass of an ONNX file instead of its training step.")
    private boolean forwardOnly;

    @Option(
            names = "--devices",
            paramLabel = "LIST",
            required = true,
            description =
                    "Devices as COUNTxMEMORY, optionally with @SPEED, separated by commas, "
                            + "such as 4x2G,1x16G@2; or file:PATH, a cluster as JSON.")
    private String devices;

    @Option(
            names = "--link",
            paramLabel = "BITS",
            description = "Bits per second between two devices (default: ${DEFAULT-VALUE}).")
    private String link = "1G";

    @Option(
            names = "--latency",
            paramLabel = "TIME",
            description = "Latency of a transfer (default: ${DEFAULT-VALUE}).")
    private String latency = "0s";

    @Option(
            names = "--send-time",
            paramLabel = "TIME",
            description =
                    "Processor time of a device of speed 1 to send or to receive a megabyte "
                            + "(default: measured where layers are, else 0s).")
    private String sendTime;

    @Option(
            names = "--other-threads",
            paramLabel = "CORES",
            description =
                    "Part of a core of speed 1 that other threads of a device's process always take "
                            + "(default: measured where layers are, else 0).")
    private Double otherThreads;

    @Option(
            names = "--sequential",
            description = "Run a device's transfers one after another instead of at the same time.")
    private boolean sequential;

    @Option(
            names = "--algorithm",
            paramLabel = "NAME",
            description =
                    "Placement algorithm: m-topo, m-topo-full, m-etf, m-sct, single, "
                            + "round-robin, stages or exact (default: ${DEFAULT-VALUE}).")
    private String algorithm = "m-etf";

    @Option(
            names = "--reserve",
            description =
                    "m-etf and m-sct: reserve the memory of a colocation group when its "
                            + "first operator is placed.")
    private boolean reserve;

    @Option(
            names = "--threshold",
            paramLabel = "X",
            defaultValue = "0.5",
            description =
                    "m-sct: threshold below which an edge leads to a favorite child "
                            + "(default: ${DEFAULT-VALUE}; 0.1 in the paper).")
    private double threshold;

    @Option(
            names = "--fuse",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description =
                    "Place neighbors of a colocation group as one operator (default: "
                            + "${DEFAULT-VALUE}).")
    private boolean fuse;

    @Option(
            names = "--coplace",
            description = "Add an operator to the colocation group of its only reader.")
    private boolean coplace;

    @Option(
            names = "--micro-batches",
            paramLabel = "N",
            description =
                    "Number of micro-batches into which the batch of a step is cut (default: "
                            + "${DEFAULT-VALUE}).")
    private int microBatches = 1;

    @Option(
            names = "--schedule",
            paramLabel = "NAME",
            description =
                    "Order of micro-batches: gpipe, all forward passes before all backward "
                            + "passes, or 1f1b, alternating (default: ${DEFAULT-VALUE}).")
    private String schedule = "gpipe";

    @Option(names = "--json", paramLabel = "FILE", description = "Write the plan as JSON.")
    private Path json;

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description =
                    "Write a page with a Gantt chart and the graph to this file, such "
                            + "as plan.html.")
    private Path plot;

    @Override
    public Integer call() throws IOException {
        Bandwidth bandwidth = option("--link", () -> Bandwidth.parse(link));
        Algorithm chosen = option("--algorithm", () -> Algorithm.parse(algorithm));
        PipelineOrder order = option("--schedule", () -> PipelineOrder.parse(schedule));
        PlacementOptions options =
                checked(
                        () ->
                                new PlacementOptions(
                                        fuse, coplace, reserve, threshold, microBatches, order));
        Transfers transfers = sequential ? Transfers.SEQUENTIAL : Transfers.PARALLEL;
        DeviceCluster links =
                checked(
                        () ->
                                ClusterOption.parse(
                                        devices,
                                        bandwidth,
                                        Durations.notNegative("--latency", latency).toNanos() / 1e9,
                                        transfers));
        checkSource();
        inFolder("--json", json);
        inFolder("--plot", plot);
        NetworkModel network = source.network == null ? null : network();
        OperatorGraph graph = network == null ? checked(this::graph) : network.graph();
        DeviceCluster cluster = checked(() -> links.withHandling(handling()));
        PlacementPlan plan = checked(() -> PlacementPlanner.plan(graph, cluster, chosen, options));
        if (json != null) {
            write("--json", json, PlanFile.text(plan, network));
        }
        if (plot != null) {
            write("--plot", plot, PlanReport.page(plan, title()));
        }
        PrintWriter out = out();
        new PlanView(plan, StepExchange.seconds(plan, network)).print(out);
        return 0;
    }

    /** Refuses options that the source of the operators does not use. */
    private void checkSource() {
        for (OptionSpec option : line().getParseResult().matchedOptions()) {
            String name = option.longestName();
            if (!uses(name)) {
                throw wrong(
                        source.network == null
                                ? "%s is not for --graph %s".formatted(name, title())
                                : name + " is not for --network");
            }
        }
    }

    private boolean uses(String option) {
        boolean network = source.network != null;
        return switch (option) {
            case "--classes", "--layer-times" -> network;
            case "--image-size", "--channels" -> network || torch();
            case "--batch-size", "--optimizer" -> network || torch() || onnx();
            case "--python" -> torch();
            case "--gflops", "--forward-only" -> onnx();
            default -> true;
        };
    }

    private HandlingCost handling() {
        boolean known = sendTime != null && otherThreads != null;
        HandlingCost measured =
                !known && (source.network != null || torch()) && layerTimes == null
                        ? MeasuredTransfers.handling()
                        : HandlingCost.NONE;
        double message = sendTime == null ? measured.perMessage() : 0;
        double megabyte =
                sendTime == null
                        ? measured.perByte() * HandlingCost.MEGABYTE
                        : Durations.notNegative("--send-time", sendTime).toNanos() / 1e9;
        double share = otherThreads == null ? measured.share() : otherThreads;
        return new HandlingCost(message, megabyte / HandlingCost.MEGABYTE, share);
    }

    private boolean torch() {
        return TORCH.stream().anyMatch(file()::endsWith);
    }

    private boolean onnx() {
        return file().endsWith(".onnx");
    }

    private String file() {
        return source.graph == null ? "" : source.graph.toString().toLowerCase(Locale.ROOT);
    }

    private String title() {
        return source.network == null ? source.graph.getFileName().toString() : source.network;
    }

    private OperatorGraph graph() {
        if (torch()) {
            return TorchFile.measure(
                    source.graph,
                    python,
                    new int[] {batch(), channels, imageSize, imageSize},
                    vectors());
        }
        if (!onnx()) {
            return GraphFile.read(source.graph);
        }
        if (!(gflops > 0) || Double.isInfinite(gflops)) {
            throw new IllegalArgumentException("--gflops must be above 0, got " + gflops);
        }
        return OnnxFile.read(
                source.graph,
                new OnnxFile.Assumptions(gflops * 1e9, batch(), vectors(), !forwardOnly));
    }

    private int batch() {
        if (batch < 1) {
            throw wrong("--batch-size must be at least 1, got " + batch);
        }
        if (microBatches > batch) {
            throw wrong(
                    "--micro-batches must be at most the --batch-size of %d, got %d"
                            .formatted(batch, microBatches));
        }
        return batch;
    }

    private int vectors() {
        Integer vectors = OPTIMIZERS.get(optimizer);
        if (vectors == null) {
            throw wrong(
                    "--optimizer must be one of %s, got %s"
                            .formatted(
                                    String.join(
                                            ", ", OPTIMIZERS.keySet().stream().sorted().toList()),
                                    optimizer));
        }
        return vectors;
    }

    private NetworkModel network() {
        int images = batch();
        int vectors = vectors();
        LayeredNetwork network =
                option(
                        "--network %s --channels %d --image-size %d:"
                                .formatted(source.network, channels, imageSize),
                        () ->
                                NetworkStages.open(
                                        NetworkOption.name(source.network),
                                        new int[] {channels, imageSize, imageSize},
                                        classes));
        TrainingTimes times =
                layerTimes == null
                        ? Profiler.training(network, (images - 1) / microBatches + 1)
                        : TrainingTimes.of(checked(() -> LayerTimes.parse(network, 0, layerTimes)));
        return new NetworkModel(network, times, images, vectors);
    }
}
