package dev.levee.operators.placement;

import dev.levee.operators.placement.algorithm.ExactSearch;
import dev.levee.operators.placement.algorithm.Placer;
import dev.levee.operators.placement.graph.Coplacement;
import dev.levee.operators.placement.graph.DeviceCluster;
import dev.levee.operators.placement.graph.FusedGraph;
import dev.levee.operators.placement.graph.HandlingCost;
import dev.levee.operators.placement.graph.Operator;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.schedule.Bounds;
import dev.levee.operators.placement.schedule.InfeasibleException;
import dev.levee.operators.placement.schedule.ListScheduler;
import dev.levee.operators.placement.schedule.OperatorSchedule;

import java.util.Arrays;

/** Places graphs of operators with an algorithm, and computes the resulting steps. */
public final class PlacementPlanner {
    /** For larger graphs, the least memory is found only to a thousandth. */
    private static final int LARGE = 2000;

    private final OperatorGraph graph;
    private final FusedGraph fused;
    private final DeviceCluster cluster;
    private final Placer placer;

    /**
     * Creates a planner of one graph.
     *
     * @param fused the graph with neighbors of a group fused, or null not to fuse
     */
    private PlacementPlanner(
            OperatorGraph graph, FusedGraph fused, DeviceCluster cluster, Placer placer) {
        this.graph = graph;
        this.fused = fused;
        this.cluster = cluster;
        this.placer = placer;
    }

    /**
     * Places a graph.
     *
     * @throws IllegalArgumentException if the graph does not fit; the message is one sentence with
     *     the operator without room, its bytes, and the memory per device with which this algorithm
     *     would succeed. Also if the algorithm does not support the graph, an operator is bound to
     *     a device that is not there, or a colocation group to two
     */
    public static PlacementPlan plan(
            OperatorGraph graph,
            DeviceCluster cluster,
            Algorithm algorithm,
            PlacementOptions options) {
        // A fused operator has one device, so the bindings of its members are checked before.
        graph.bound(cluster);
        int count = options.microBatches();
        OperatorGraph part =
                count == 1
                        ? graph
                        : MicroBatches.one(
                                graph, count, options.order().held(0, cluster.size(), count));
        OperatorGraph placed = options.coplace() ? Coplacement.of(part) : part;
        // The shortest schedule may run other operators between those of a group.
        boolean whole = algorithm == Algorithm.EXACT && placed.size() <= ExactSearch.LARGEST;
        FusedGraph fused =
                options.fuse() && placed.groups() > 0 && !whole ? FusedGraph.of(placed) : null;
        PlacementPlanner planner =
                new PlacementPlanner(
                        placed, fused, cluster, algorithm.placer(options).remembering());
        OperatorSchedule schedule;
        try {
            schedule = planner.place();
        } catch (InfeasibleException e) {
            throw new IllegalArgumentException(
                    "%s, with %s; %,d bytes of memory on each device would be enough%s"
                            .formatted(
                                    e.getMessage(),
                                    algorithm.label(),
                                    planner.leastMemory(),
                                    planner.reserving(algorithm, options)),
                    e);
        }
        OperatorGraph all = count == 1 ? graph : MicroBatches.expand(graph, count);
        return new PlacementPlan(
                graph,
                cluster,
                algorithm,
                options,
                Arrays.stream(schedule.devices()).boxed().toList(),
                step(graph, all, cluster, schedule, options),
                Bounds.of(all, cluster));
    }

    /** A hint to use {@code --reserve}, if that would make the graph fit; otherwise empty. */
    private String reserving(Algorithm algorithm, PlacementOptions options) {
        Placer reserved = algorithm.placer(options.reserving());
        boolean helps =
                !reserved.equals(algorithm.placer(options))
                        && new PlacementPlanner(graph, fused, cluster, reserved)
                                .fits(cluster.smallestMemory());
        return helps ? ", and --reserve fits the model into the available memory" : "";
    }

    private OperatorSchedule place() throws InfeasibleException {
        if (fused != null) {
            try {
                int[][] sequences =
                        fused.expand(
                                placer.place(fused.graph(), cluster).sequences(cluster.size()));
                int[] devices = new int[graph.size()];
                for (int d = 0; d < sequences.length; d++) {
                    for (int id : sequences[d]) {
                        devices[id] = d;
                    }
                }
                return ListScheduler.run(
                        graph, cluster, ListScheduler.Rules.on(devices).inOrder(sequences));
            } catch (InfeasibleException e) {
                // The parts of a fused operator may need more memory than the fused operator.
                return placer.place(graph, cluster);
            }
        }
        return placer.place(graph, cluster);
    }

    /**
     * The step of a placed graph, with the processor time of transfers.
     *
     * @param schedule the schedule of one micro-batch
     * @param all the graph of all micro-batches
     */
    private static PlannedStep step(
            OperatorGraph graph,
            OperatorGraph all,
            DeviceCluster cluster,
            OperatorSchedule schedule,
            PlacementOptions options) {
        int count = options.microBatches();
        if (count == 1 && cluster.handling().equals(HandlingCost.NONE)) {
            return PlannedStep.of(graph, cluster, schedule);
        }
        int[] devices = MicroBatches.devices(schedule.devices(), count);
        int[][] sequences =
                count == 1
                        ? schedule.sequences(cluster.size())
                        : options.order().sequences(graph, schedule, cluster.size(), count);
        OperatorGraph handled = HandledGraph.of(all, cluster, devices, sequences);
        ListScheduler.Rules rules = ListScheduler.Rules.on(devices).inOrder(sequences);
        try {
            return PlannedStep.of(handled, cluster, ListScheduler.run(handled, cluster, rules));
        } catch (InfeasibleException e) {
            throw new IllegalArgumentException(
                    e.getMessage()
                            + ", with --micro-batches %d in the order of %s"
                                    .formatted(count, options.order().label()),
                    e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "--schedule %s needs contiguous stages, which --algorithm stages makes"
                            .formatted(options.order().label()),
                    e);
        }
    }

    /**
     * The smallest memory M with which the algorithm places the graph if every device has at least
     * M. For the exact search, it is that of m-ETF, because each attempt may take minutes.
     */
    private long leastMemory() {
        PlacementPlanner attempt =
                new PlacementPlanner(graph, fused, cluster, placer.fittingFast());
        long enough = 0;
        long few = 0;
        for (Operator each : graph.operators()) {
            enough += each.allBytes();
            few = Math.max(few, each.persistent());
        }
        few = Math.max(0, few - 1);
        // An even share plus the largest operator is at most twice the sum.
        enough *= 2;
        while (enough - few > (graph.size() > LARGE ? Math.max(1, enough / 1000) : 1)) {
            long middle = few + (enough - few) / 2;
            if (attempt.fits(middle)) {
                enough = middle;
            } else {
                few = middle;
            }
        }
        return enough;
    }

    private boolean fits(long memory) {
        try {
            new PlacementPlanner(graph, fused, cluster.withMemoryOfAtLeast(memory), placer).place();
            return true;
        } catch (InfeasibleException e) {
            return false;
        }
    }
}
