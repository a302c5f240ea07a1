package dev.levee.jobs.internal.cli;

import dev.levee.featureextraction.split.Bandwidth;
import dev.levee.jobs.internal.config.Durations;
import dev.levee.jobs.internal.placement.ClusterOption;
import dev.levee.jobs.internal.placement.GraphFile;
import dev.levee.operators.placement.Algorithm;
import dev.levee.operators.placement.Options;
import dev.levee.operators.placement.Plan;
import dev.levee.operators.placement.Planner;
import dev.levee.operators.placement.graph.Cluster;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.graph.Transfers;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/** Places the operators of a model on several devices. */
@Command(
        name = "place",
        description = "Place the operators of a model that does not fit one device on several.",
        footer = {"", "Exit status: 0 done, 1 failed, 2 wrong usage or input, or it does not fit."},
        abbreviateSynopsis = true,
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class PlaceCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Option(
            names = "--graph",
            paramLabel = "FILE",
            required = true,
            description = "A graph of operators as JSON; docs/placement.md has the format.")
    private Path graph;

    @Option(
            names = "--devices",
            paramLabel = "LIST",
            required = true,
            description =
                    "Devices as COUNTxMEMORY, perhaps with @SPEED, several with commas, such as"
                            + " 4x2G,1x16G@2; or file:PATH, a cluster as JSON.")
    private String devices;

    @Option(
            names = "--link",
            paramLabel = "BITS",
            defaultValue = "1G",
            description = "Bits per second between two devices (default: ${DEFAULT-VALUE}).")
    private String link;

    @Option(
            names = "--latency",
            paramLabel = "TIME",
            defaultValue = "0s",
            description = "Time before the first byte arrives (default: ${DEFAULT-VALUE}).")
    private String latency;

    @Option(
            names = "--algorithm",
            paramLabel = "NAME",
            defaultValue = "m-etf",
            description =
                    "m-topo, m-topo-full, m-etf, m-sct, single, round-robin or stages (default:"
                            + " ${DEFAULT-VALUE}).")
    private String algorithm;

    @Override
    public Integer call() {
        Bandwidth bandwidth = option("--link", () -> Bandwidth.parse(link));
        Algorithm chosen = option("--algorithm", () -> Algorithm.parse(algorithm));
        Plan plan =
                checked(
                        () -> {
                            double seconds =
                                    Durations.notNegative("--latency", latency).toNanos() / 1e9;
                            Cluster cluster =
                                    ClusterOption.parse(
                                            devices, bandwidth, seconds, Transfers.PARALLEL);
                            OperatorGraph operators = GraphFile.read(graph);
                            return Planner.plan(operators, cluster, chosen, Options.DEFAULT);
                        });
        spec.commandLine().getOut().println(plan.schedule().makespan());
        return 0;
    }

    private <T> T option(String option, Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw new WrongInputException(spec.commandLine(), option + " " + e.getMessage());
        }
    }

    private <T> T checked(Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw new WrongInputException(spec.commandLine(), e.getMessage());
        }
    }
}
