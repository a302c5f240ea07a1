package dev.levee.operators.placement;

import dev.levee.operators.placement.algorithm.Placer;
import dev.levee.operators.placement.graph.Cluster;
import dev.levee.operators.placement.graph.Coplacement;
import dev.levee.operators.placement.graph.FusedGraph;
import dev.levee.operators.placement.graph.Handling;
import dev.levee.operators.placement.graph.Operator;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.schedule.Bounds;
import dev.levee.operators.placement.schedule.InfeasibleException;
import dev.levee.operators.placement.schedule.ListScheduler;
import dev.levee.operators.placement.schedule.Schedule;

import java.util.Arrays;

/** Makes plans. */
public final class Planner {
    /** The least memory of larger graphs is found to a thousandth only. */
    private static final int LARGE = 2000;

    private final OperatorGraph graph;
    private final FusedGraph fused;
    private final Cluster cluster;
    private final Placer placer;

    /**
     * A planner of one graph.
     *
     * @param fused the graph with neighbors of a group fused, or null if they are not to be
     */
    private Planner(OperatorGraph graph, FusedGraph fused, Cluster cluster, Placer placer) {
        this.graph = graph;
        this.fused = fused;
        this.cluster = cluster;
        this.placer = placer;
    }

    /**
     * Places a graph.
     *
     * @throws IllegalArgumentException if it does not fit, in one sentence that names the operator
     *     without room, its bytes, and the least memory of each device with which this algorithm
     *     finds room for all; or if the algorithm does not take such a graph
     */
    public static Plan plan(
            OperatorGraph graph, Cluster cluster, Algorithm algorithm, Options options) {
        int count = options.microBatches();
        OperatorGraph part =
                count == 1
                        ? graph
                        : MicroBatches.one(
                                graph, count, options.order().held(0, cluster.size(), count));
        OperatorGraph placed = options.coplace() ? Coplacement.of(part) : part;
        FusedGraph fused = options.fuse() && placed.groups() > 0 ? FusedGraph.of(placed) : null;
        Planner planner =
                new Planner(placed, fused, cluster, algorithm.placer(options).remembering());
        Schedule schedule;
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
        return new Plan(
                graph,
                cluster,
                algorithm,
                options,
                Arrays.stream(schedule.devices()).boxed().toList(),
                step(graph, all, cluster, schedule, options),
                Bounds.of(all, cluster));
    }

    /** A hint that costs nothing, if operators of a group have taken each other's memory. */
    private String reserving(Algorithm algorithm, Options options) {
        Placer reserved = algorithm.placer(options.reserving());
        boolean helps =
                !reserved.equals(algorithm.placer(options))
                        && new Planner(graph, fused, cluster, reserved)
                                .fits(cluster.smallestMemory());
        return helps ? ", and --reserve fits the model into the available memory" : "";
    }

    private Schedule place() throws InfeasibleException {
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
                // The parts of a fused operator may need more memory than the fused one.
                return placer.place(graph, cluster);
            }
        }
        return placer.place(graph, cluster);
    }

    /**
     * The step of a placed graph, with the processor time of transfers.
     *
     * @param schedule of one micro-batch
     * @param all the graph of all micro-batches
     */
    private static Step step(
            OperatorGraph graph,
            OperatorGraph all,
            Cluster cluster,
            Schedule schedule,
            Options options) {
        int count = options.microBatches();
        if (count == 1 && cluster.handling().equals(Handling.NONE)) {
            return Step.of(graph, cluster, schedule);
        }
        int[] devices = MicroBatches.devices(schedule.devices(), count);
        OperatorGraph handled = HandledGraph.of(all, cluster, devices);
        ListScheduler.Rules rules =
                ListScheduler.Rules.on(devices)
                        .inOrder(
                                count == 1
                                        ? schedule.sequences(cluster.size())
                                        : options.order()
                                                .sequences(graph, schedule, cluster.size(), count));
        try {
            return Step.of(handled, cluster, ListScheduler.run(handled, cluster, rules));
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
     * The smallest memory with which the algorithm places a graph if every device has that much, or
     * its own memory if that is larger.
     */
    private long leastMemory() {
        long enough = 0;
        long few = 0;
        for (Operator each : graph.operators()) {
            enough += each.allBytes();
            few = Math.max(few, each.persistent());
        }
        few = Math.max(0, few - 1);
        // An even share and the largest operator are at most twice of all.
        enough *= 2;
        while (enough - few > (graph.size() > LARGE ? Math.max(1, enough / 1000) : 1)) {
            long middle = few + (enough - few) / 2;
            if (fits(middle)) {
                enough = middle;
            } else {
                few = middle;
            }
        }
        return enough;
    }

    private boolean fits(long memory) {
        try {
            new Planner(graph, fused, cluster.withMemoryOfAtLeast(memory), placer).place();
            return true;
        } catch (InfeasibleException e) {
            return false;
        }
    }
}
