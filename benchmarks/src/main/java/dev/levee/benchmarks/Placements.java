package dev.levee.benchmarks;

import dev.levee.operators.placement.Algorithm;
import dev.levee.operators.placement.PlacementOptions;
import dev.levee.operators.placement.graph.Device;
import dev.levee.operators.placement.graph.DeviceCluster;
import dev.levee.operators.placement.graph.Link;
import dev.levee.operators.placement.graph.Operator;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.graph.Transfers;
import dev.levee.operators.placement.schedule.Bounds;
import dev.levee.operators.placement.schedule.InfeasibleException;
import dev.levee.operators.placement.schedule.OperatorSchedule;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Measures how close placements come to the shortest schedule of small random graphs, and how the
 * planning time grows with the size of the graph. Arguments: number of graphs (200), operators of
 * the largest graph (100000).
 */
public final class Placements {
    private static final int OPERATORS = 9;
    private static final int DEVICES = 3;
    private static final int PLANNING_DEVICES = 8;
    private static final int REPETITIONS = 5;
    private static final double SLOWEST = 20;

    private static final List<Algorithm> COMPARED =
            List.of(
                    Algorithm.M_ETF,
                    Algorithm.M_SCT,
                    Algorithm.M_TOPO,
                    Algorithm.ROUND_ROBIN,
                    Algorithm.SINGLE,
                    Algorithm.STAGES);

    private Placements() {}

    public static void main(String[] arguments) throws InfeasibleException {
        Machine.print();
        int graphs = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 200;
        int largest = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 100_000;
        for (double rho : new double[] {0.5, 1, 4}) {
            ratios(graphs, rho);
        }
        growth(largest);
    }

    /**
     * Prints makespans relative to the shortest one, for graphs whose transfers take up to ρ times
     * the time of the shortest operator.
     */
    private static void ratios(int graphs, double rho) throws InfeasibleException {
        double[] sum = new double[COMPARED.size()];
        double[] worst = new double[COMPARED.size()];
        double bound = 0;
        int placed = 0;
        for (long seed = 0; seed < graphs; seed++) {
            Random random = new Random(seed);
            OperatorGraph graph = small(random, rho);
            DeviceCluster cluster = cluster(DEVICES, 1000);
            double shortest =
                    Algorithm.EXACT
                            .placer(PlacementOptions.DEFAULT)
                            .place(graph, cluster)
                            .makespan();
            bound = Math.max(bound, Bounds.of(graph, cluster).sct().orElse(0));
            for (int i = 0; i < COMPARED.size(); i++) {
                double ratio =
                        COMPARED.get(i)
                                        .placer(PlacementOptions.DEFAULT)
                                        .place(graph, cluster)
                                        .makespan()
                                / shortest;
                sum[i] += ratio;
                worst[i] = Math.max(worst[i], ratio);
            }
            placed++;
        }
        print(
                "%n%d graphs of %d operators on %d devices, ρ up to %s; SCT's bound with devices"
                        + " without end: %s%n",
                placed,
                OPERATORS,
                DEVICES,
                rho,
                bound == 0 ? "none" : String.format(Locale.ROOT, "%.3f", bound));
        for (int i = 0; i < COMPARED.size(); i++) {
            print(
                    "  %-12s mean %.3f, worst %.3f%n",
                    COMPARED.get(i).label(), sum[i] / placed, worst[i]);
        }
    }

    private static OperatorGraph small(Random random, double rho) {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        for (int id = 0; id < OPERATORS; id++) {
            builder.add(
                    Operator.of("o" + id, 1 + 4 * random.nextDouble())
                            .withOutputs(1 + random.nextInt((int) (1000 * rho))));
        }
        for (int id = 1; id < OPERATORS; id++) {
            for (int inputs = random.nextInt(3); inputs > 0; inputs--) {
                builder.read(random.nextInt(id), 0, id);
            }
        }
        return builder.build();
    }

    /** A cluster whose links have this bandwidth in bytes per second. */
    private static DeviceCluster cluster(int count, double bandwidth) {
        List<Device> devices = new ArrayList<>();
        for (int d = 0; d < count; d++) {
            devices.add(Device.of("d" + d, 1L << 40));
        }
        return DeviceCluster.of(devices, new Link(0, bandwidth), Transfers.PARALLEL);
    }

    private static void growth(int largest) throws InfeasibleException {
        print(
                "%nPlanning on %d devices, seconds, the least of %d%n",
                PLANNING_DEVICES, REPETITIONS);
        for (Algorithm each : List.of(Algorithm.M_TOPO, Algorithm.M_ETF, Algorithm.M_SCT)) {
            for (int size = 10; size <= largest; size *= 10) {
                OperatorGraph graph = large(size);
                DeviceCluster cluster = cluster(PLANNING_DEVICES, 1000);
                double least = Double.POSITIVE_INFINITY;
                double ratio = 0;
                for (int i = 0; i < REPETITIONS && (i == 0 || least < SLOWEST); i++) {
                    long start = System.nanoTime();
                    OperatorSchedule schedule =
                            each.placer(PlacementOptions.DEFAULT).place(graph, cluster);
                    least = Math.min(least, (System.nanoTime() - start) / 1e9);
                    ratio = schedule.makespan() / Bounds.of(graph, cluster).lowerBound();
                }
                print(
                        "  %-7s %6d operators, %6d edges: %9.4f s, %.3f× the lower bound%n",
                        each.label(), size, graph.edges(), least, ratio);
            }
        }
    }

    /** A graph in which each operator reads up to three of the twenty operators before it. */
    private static OperatorGraph large(int size) {
        Random random = new Random(size);
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        for (int id = 0; id < size; id++) {
            builder.add(
                    Operator.of("o" + id, 0.5 + random.nextDouble())
                            .withPersistent(random.nextInt(100))
                            .withTemporary(random.nextInt(50))
                            .withOutputs(1 + random.nextInt(500)));
        }
        for (int id = 1; id < size; id++) {
            for (int inputs = 1 + random.nextInt(3); inputs > 0; inputs--) {
                builder.read(Math.max(0, id - 1 - random.nextInt(20)), 0, id);
            }
        }
        return builder.build();
    }

    private static void print(String format, Object... values) {
        System.out.printf(Locale.ROOT, format, values);
    }
}
