package dev.levee.operators.placement.algorithm;

import dev.levee.operators.placement.graph.DeviceCluster;
import dev.levee.operators.placement.graph.HandlingCost;
import dev.levee.operators.placement.graph.Operator;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.schedule.InfeasibleException;
import dev.levee.operators.placement.schedule.ListScheduler;
import dev.levee.operators.placement.schedule.OperatorSchedule;

import java.util.Arrays;

/**
 * Splits the topological order into contiguous stages of a pipeline, at most one per device, in the
 * order of the devices. Among all splits, it minimizes the time of the slowest part: a stage, or
 * the transfers across a cut. Of splits up to a cut that are equally fast, it keeps the one with
 * the fewest bytes across cuts, then with the earliest cuts. The time of a stage includes the
 * processor time of the transfers across both its cuts. The result is exact, by dynamic programming
 * over the L units and the k devices, usually in O(L²·k) time.
 *
 * <p>Units that are bound to devices must follow the order of the devices.
 *
 * <p>A colocation group is one unit, so a layer's forward and backward operators stay together. A
 * stage needs all its persistent memory and outputs, and its largest temporary memory. Every output
 * with a reader behind a cut crosses the cut; outputs cross one after another.
 */
public final class ContiguousStages implements Placer {
    private OperatorGraph graph;
    private DeviceCluster cluster;
    private PlacementUnits units;
    private int[] bound;
    private double[] seconds;
    private long[] crossing;
    private int[] crossings;
    private long[] held;
    private long[] temporary;

    @Override
    public OperatorSchedule place(OperatorGraph operators, DeviceCluster devices)
            throws InfeasibleException {
        return ListScheduler.run(
                operators,
                devices,
                ListScheduler.Rules.on(new ContiguousStages().stages(operators, devices)));
    }

    /** The best split of the first units among the first devices. */
    private record Best(double seconds, long bytes, int from, int previous) {
        static final Best NONE = new Best(Double.POSITIVE_INFINITY, 0, -1, -1);

        boolean beats(Best other) {
            return seconds < other.seconds || (seconds == other.seconds && bytes < other.bytes);
        }
    }

    private int[] stages(OperatorGraph operators, DeviceCluster devices)
            throws InfeasibleException {
        graph = operators;
        cluster = devices;
        units = PlacementUnits.of(graph);
        bound = units.bound(graph, cluster);
        measure();
        int count = units.size();
        // best[d][j]: the best split of the units before j, whose last stage is on d.
        Best[][] best = new Best[cluster.size()][count + 1];
        int placed = 0;
        for (int d = 0; d < cluster.size(); d++) {
            Arrays.fill(best[d], Best.NONE);
            Best[] before = new Best[count];
            for (int i = 1; i < count; i++) {
                before[i] = before(best, d, i, 0);
            }
            for (int j = 1; j <= count; j++) {
                best[d][j] = lastStage(best, before, d, j);
                if (best[d][j].seconds() < Double.POSITIVE_INFINITY) {
                    placed = Math.max(placed, j);
                }
            }
        }
        int last = -1;
        for (int d = 0; d < cluster.size(); d++) {
            if (best[d][count].seconds() < Double.POSITIVE_INFINITY
                    && (last < 0 || best[d][count].beats(best[last][count]))) {
                last = d;
            }
        }
        if (last < 0) {
            checkBindings();
            throw new InfeasibleException(
                    name(placed), held[placed + 1] - held[placed] + temporary[placed]);
        }
        int[] stages = new int[count];
        for (int j = count, d = last; j > 0; ) {
            Best each = best[d][j];
            Arrays.fill(stages, each.from(), j, d);
            j = each.from();
            d = each.previous();
        }
        return units.spread(stages);
    }

    /** Refuses units that are bound to an earlier device than a unit before them. */
    private void checkBindings() {
        int before = -1;
        for (int u = 0; u < bound.length; u++) {
            if (before >= 0 && bound[u] >= 0 && bound[u] < bound[before]) {
                throw new IllegalArgumentException(
                        "stages follow the order of the devices, but operator %s is bound to %s and runs after operator %s, which is bound to %s"
                                .formatted(name(u), device(u), name(before), device(before)));
            }
            before = bound[u] >= 0 ? u : before;
        }
    }

    private String name(int u) {
        return graph.operator(units.members().get(u)[0]).name();
    }

    private String device(int u) {
        return cluster.device(bound[u]).name();
    }

    /** The best split of the units before {@code i}, if {@code d} takes some time for the next. */
    private Best before(Best[][] best, int d, int i, double time) {
        Best found = Best.NONE;
        for (int previous = 0; previous < d; previous++) {
            Best each = best[previous][i];
            double most = Math.max(Math.max(time, each.seconds()), crossing(i, previous, d));
            Best next = new Best(most, each.bytes() + crossing[i], i, previous);
            found = found.beats(next) ? found : next;
        }
        return found;
    }

    /**
     * The best split of the units before {@code j} whose last stage is on {@code d}.
     *
     * @param before the best split of the units before each, if the last stage takes no time
     */
    private Best lastStage(Best[][] best, Best[] before, int d, int j) {
        Best found = Best.NONE;
        double least = j < seconds.length ? handling(j, d) : 0;
        long largest = 0;
        for (int i = j - 1; i >= 0; i--) {
            least += seconds[i] / cluster.device(d).speed();
            double time = i == 0 ? least : least + handling(i, d);
            largest = Math.max(largest, temporary[i]);
            boolean elsewhere = bound[i] >= 0 && bound[i] != d;
            // A longer stage is neither faster nor smaller.
            if (elsewhere
                    || held[j] - held[i] + largest > cluster.device(d).memory()
                    || least > found.seconds()) {
                break;
            }
            if (i == 0) {
                Best whole = new Best(time, 0, 0, -1);
                found = found.beats(whole) ? found : whole;
            }
            if (i > 0) {
                Best next = time <= before[i].seconds() ? before[i] : before(best, d, i, time);
                // Cuts are tried from late to early, so the earliest of equal cuts wins.
                if (!found.beats(next) && next.seconds() < Double.POSITIVE_INFINITY) {
                    found = next;
                }
            }
        }
        return found;
    }

    private double handling(int cut, int d) {
        HandlingCost each = cluster.handling();
        return (crossings[cut] * each.perMessage() + crossing[cut] * each.perByte())
                / cluster.device(d).speed();
    }

    private double crossing(int cut, int from, int to) {
        return crossings[cut] * cluster.link(from, to).latency()
                + crossing[cut] / cluster.link(from, to).bandwidth();
    }

    private void measure() {
        int count = units.size();
        seconds = new double[count];
        temporary = new long[count];
        held = new long[count + 1];
        crossing = new long[count + 1];
        crossings = new int[count + 1];
        for (int u = 0; u < count; u++) {
            held[u + 1] = held[u];
            for (int id : units.members().get(u)) {
                Operator operator = graph.operator(id);
                seconds[u] += operator.seconds();
                held[u + 1] += operator.persistent() + operator.outputBytes();
                temporary[u] = Math.max(temporary[u], operator.temporary());
            }
        }
        int[] lowest = new int[graph.outputs()];
        int[] highest = new int[graph.outputs()];
        for (int output = 0; output < lowest.length; output++) {
            lowest[output] = units.unit()[graph.producer(output)];
            highest[output] = lowest[output];
        }
        for (int edge = 0; edge < graph.edges(); edge++) {
            int reader = units.unit()[graph.to(edge)];
            for (int output : graph.carried(edge)) {
                lowest[output] = Math.min(lowest[output], reader);
                highest[output] = Math.max(highest[output], reader);
            }
        }
        for (int output = 0; output < lowest.length; output++) {
            for (int cut = lowest[output] + 1; cut <= highest[output]; cut++) {
                crossing[cut] += graph.bytes(output);
                crossings[cut]++;
            }
        }
    }
}
