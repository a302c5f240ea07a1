package dev.levee.benchmarks;

import dev.levee.operators.placement.Algorithm;
import dev.levee.operators.placement.PipelineOrder;
import dev.levee.operators.placement.PlacementOptions;
import dev.levee.operators.placement.PlacementPlan;
import dev.levee.operators.placement.PlacementPlanner;
import dev.levee.operators.placement.graph.Device;
import dev.levee.operators.placement.graph.DeviceCluster;
import dev.levee.operators.placement.graph.Link;
import dev.levee.operators.placement.graph.Operator;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.graph.Output;
import dev.levee.operators.placement.graph.TrainingStep;
import dev.levee.operators.placement.graph.Transfers;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Measures how long it takes to place the networks of Baechi's paper on four GPUs, with their whole
 * memory and with a part of it. Transfers cost what the authors' benchmark printed: 134 µs and
 * 0.1754 ns per byte, one after another as in TensorFlow. Argument: the part of the memory (0.5).
 */
final class PaperPlacements {
    private static final int DEVICES = 4;
    private static final long MEMORY = 8L << 30;
    private static final Link LINK = new Link(134e-6, 1e9 / 0.1754);
    private static final int REPETITIONS = 5;

    /** Operators are fused, and placed with their only readers, as in the paper. */
    private static final PlacementOptions OPTIONS =
            new PlacementOptions(true, true, false, 0.5, 1, PipelineOrder.GPIPE);

    private PaperPlacements() {}

    public static void main(String[] arguments) {
        Machine.print();
        double part = arguments.length > 0 ? Double.parseDouble(arguments[0]) : 0.5;
        for (PaperNetworks.Network each :
                List.of(
                        PaperNetworks.inception(32),
                        PaperNetworks.gnmt(128, 40),
                        PaperNetworks.transformer(64, 50))) {
            OperatorGraph step = TrainingStep.of(each.forward(), 2);
            print(
                    "%n%s: %,d parameters, %d operators of a training step, %d edges%n",
                    each.name(), each.parameters(), step.size(), step.edges());
            DeviceCluster one = cluster(1, 1L << 40);
            print("  %-8s %.4f s%n", "one GPU", plan(step, one, Algorithm.SINGLE).makespan());
            for (double share : new double[] {1, part}) {
                DeviceCluster cluster = cluster(DEVICES, (long) (share * MEMORY));
                for (Algorithm algorithm :
                        List.of(Algorithm.M_TOPO, Algorithm.M_ETF, Algorithm.M_SCT)) {
                    times(step, cluster, algorithm, share);
                }
            }
            print("  the forward pass alone, whose outputs are persistent%n");
            for (Algorithm algorithm : List.of(Algorithm.M_ETF, Algorithm.M_SCT)) {
                times(
                        held(each.forward()),
                        cluster(DEVICES, (long) (part * MEMORY)),
                        algorithm,
                        part);
            }
        }
    }

    /** The authors' version of the graph, in which outputs are held until the backward pass. */
    private static OperatorGraph held(OperatorGraph forward) {
        OperatorGraph.Builder graph = new OperatorGraph.Builder();
        for (Operator each : forward.operators()) {
            graph.add(
                    each.withPersistent(each.persistent() + each.outputBytes())
                            .withOutputs(
                                    each.outputs().stream()
                                            .map(output -> new Output(output.bytes(), true))
                                            .toList()));
        }
        for (int edge = 0; edge < forward.edges(); edge++) {
            graph.before(forward.from(edge), forward.to(edge));
            for (int output : forward.carried(edge)) {
                graph.read(forward.from(edge), forward.place(output), forward.to(edge));
            }
        }
        return graph.build();
    }

    private static void times(
            OperatorGraph step, DeviceCluster cluster, Algorithm algorithm, double share) {
        double least = Double.POSITIVE_INFINITY;
        PlacementPlan plan = null;
        for (int i = 0; i < REPETITIONS; i++) {
            long start = System.nanoTime();
            try {
                plan = plan(step, cluster, algorithm);
            } catch (IllegalArgumentException e) {
                print(
                        "  %-8s %3.0f %% of the memory: %s%n",
                        algorithm.label(), 100 * share, e.getMessage());
                return;
            }
            least = Math.min(least, (System.nanoTime() - start) / 1e9);
        }
        print(
                "  %-8s %3.0f %% of the memory: placed in %.3f s, step %.4f s, on %d GPUs%n",
                algorithm.label(),
                100 * share,
                least,
                plan.makespan(),
                plan.devices().stream().distinct().count());
    }

    private static PlacementPlan plan(
            OperatorGraph step, DeviceCluster cluster, Algorithm algorithm) {
        return PlacementPlanner.plan(step, cluster, algorithm, OPTIONS);
    }

    private static DeviceCluster cluster(int count, long memory) {
        return DeviceCluster.of(
                IntStream.range(0, count).mapToObj(d -> Device.of("d" + d, memory)).toList(),
                LINK,
                Transfers.SEQUENTIAL);
    }

    private static void print(String format, Object... values) {
        System.out.printf(Locale.ROOT, format, values);
    }
}
