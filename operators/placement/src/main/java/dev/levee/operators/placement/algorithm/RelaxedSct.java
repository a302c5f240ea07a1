package dev.levee.operators.placement.algorithm;

import dev.levee.operators.placement.graph.DeviceCluster;
import dev.levee.operators.placement.graph.OperatorGraph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Solves the relaxed program of SCT. Each edge e = (u, v) has a variable x from 0 to 1, where 0
 * means that v runs on u's device; operators have start times s, and w is the makespan. The program
 * minimizes w subject to s<sub>u</sub> + p<sub>u</sub> + c<sub>e</sub>·x<sub>e</sub> ≤
 * s<sub>v</sub> and s<sub>v</sub> + p<sub>v</sub> ≤ w. The values of all edges out of an operator
 * sum to at least their number minus one; so do the values of all edges into it (Hanen and Munier
 * 1995; Baechi, section 3.3). If devices or links differ, p is the time at their mean speed and c
 * the mean over all pairs.
 *
 * <p>An operator that lies on every path splits the program into two independent programs whose
 * lengths add up. Each block between such operators is therefore solved separately, without
 * changing the optimum. A block of more than {@value #EXACT} operators is solved approximately, in
 * windows of the topological order. Each window knows the earliest starts of its operators,
 * estimates the time after it, and settles its first half.
 */
final class RelaxedSct {
    /**
     * Maximum number of operators in a block that is solved as a whole, which takes about half a
     * second.
     */
    static final int EXACT = 300;

    private static final int WINDOW = 80;

    /**
     * Maximum steps of the simplex algorithm per variable of a block or window. It usually needs
     * two or three, but may cycle on degenerate programs.
     */
    private static final int STEPS = 20;

    private final OperatorGraph graph;
    private final int steps;
    private final double[] seconds;
    private final double[] transfer;
    private final boolean[] redundant;
    private final double[] values;
    private final boolean[] settled;
    private final int[] position;
    private final double[] end;

    private RelaxedSct(OperatorGraph graph, DeviceCluster cluster, int steps) {
        this.graph = graph;
        this.steps = steps;
        double speed = cluster.totalSpeed() / cluster.size();
        seconds = new double[graph.size()];
        double unit = 0;
        for (int id = 0; id < seconds.length; id++) {
            seconds[id] = graph.operator(id).seconds() / speed;
            unit = Math.max(unit, seconds[id]);
        }
        transfer = new double[graph.edges()];
        for (int edge = 0; edge < transfer.length; edge++) {
            if (!colocated(edge)) {
                for (int output : graph.carried(edge)) {
                    transfer[edge] += cluster.meanSeconds(graph.bytes(output));
                }
            }
            unit = Math.max(unit, transfer[edge]);
        }
        // The solver's tolerances suit numbers near 1.
        if (unit > 0) {
            for (int id = 0; id < seconds.length; id++) {
                seconds[id] /= unit;
            }
            for (int edge = 0; edge < transfer.length; edge++) {
                transfer[edge] /= unit;
            }
        }
        redundant = new boolean[transfer.length];
        values = new double[transfer.length];
        Arrays.fill(values, 1);
        settled = new boolean[transfer.length];
        position = new int[graph.size()];
        for (int i = 0; i < position.length; i++) {
            position[graph.order()[i]] = i;
        }
        end = new double[graph.size()];
    }

    /** True for edges within a colocation group, which never cross a link. */
    private boolean colocated(int edge) {
        int group = graph.group(graph.from(edge));
        return group >= 0 && group == graph.group(graph.to(edge));
    }

    /**
     * The relaxed values of all edges; 1 for edges that send nothing.
     *
     * @param exact maximum operators of a block that is solved as a whole
     */
    static double[] solve(OperatorGraph graph, DeviceCluster cluster, int exact) {
        return solve(graph, cluster, exact, STEPS);
    }

    /**
     * As above, with another limit of steps per variable. If it does not suffice, competing edges
     * get equal values.
     */
    static double[] solve(OperatorGraph graph, DeviceCluster cluster, int exact, int steps) {
        RelaxedSct program = new RelaxedSct(graph, cluster, steps);
        program.dropRedundant();
        program.settleUnrivalled();
        program.solveBlocks(exact);
        return program.values;
    }

    /** Marks edges without cost as redundant if another path connects their ends. */
    private void dropRedundant() {
        int[] seen = new int[graph.size()];
        int[] stack = new int[graph.size()];
        for (int edge = 0; edge < transfer.length; edge++) {
            settled[edge] = transfer[edge] == 0;
            if (settled[edge]) {
                redundant[edge] = detour(edge, seen, stack);
            }
        }
    }

    private boolean detour(int edge, int[] seen, int[] stack) {
        int target = graph.to(edge);
        int mark = edge + 1;
        int top = 0;
        stack[top++] = graph.from(edge);
        while (top > 0) {
            for (int next : graph.out(stack[--top])) {
                int id = graph.to(next);
                if (id == target && next != edge && !redundant[next]) {
                    return true;
                }
                if (seen[id] != mark && position[id] < position[target]) {
                    seen[id] = mark;
                    stack[top++] = id;
                }
            }
        }
        return false;
    }

    /**
     * Settles each edge that is the only sending edge at both of its ends, and so has no
     * competitor.
     */
    private void settleUnrivalled() {
        for (int edge = 0; edge < transfer.length; edge++) {
            if (transfer[edge] > 0
                    && rivals(graph.out(graph.from(edge))) == 1
                    && rivals(graph.in(graph.to(edge))) == 1) {
                values[edge] = 0;
                settled[edge] = true;
            }
        }
    }

    private int rivals(int[] edges) {
        int count = 0;
        for (int edge : edges) {
            count += transfer[edge] > 0 ? 1 : 0;
        }
        return count;
    }

    private void solveBlocks(int exact) {
        int[] order = graph.order();
        int lastSource = 0;
        for (int i = 0; i < order.length; i++) {
            if (graph.in(order[i]).length == 0) {
                lastSource = i;
            }
        }
        int reach = 0;
        int begin = 0;
        for (int i = 0; i < order.length; i++) {
            // No path starts, ends or passes by here, so all paths contain this operator.
            if (reach <= i && lastSource <= i && i > begin) {
                solveBlock(begin, i, exact);
                begin = i;
            }
            boolean sink = true;
            for (int edge : graph.out(order[i])) {
                if (!redundant[edge]) {
                    reach = Math.max(reach, position[graph.to(edge)]);
                    sink = false;
                }
            }
            if (sink) {
                reach = order.length;
            }
        }
        solveBlock(begin, order.length - 1, exact);
    }

    /** Solves the part between two positions of the topological order, inclusive. */
    private void solveBlock(int first, int last, int exact) {
        if (last - first + 1 <= exact) {
            solve(first, first, last, last, last, null);
            return;
        }
        double[] tail = guessTails(first, last);
        for (int i = first; i <= last; i++) {
            end[graph.order()[i]] = Double.NaN;
        }
        for (int begin = first; begin <= last; begin += WINDOW / 2) {
            int until = Math.min(begin + WINDOW - 1, last);
            int settle = until == last ? last : begin + WINDOW / 2 - 1;
            solve(first, begin, until, settle, last, tail);
            for (int i = begin; i <= settle; i++) {
                end[graph.order()[i]] = start(graph.order()[i], first) + seconds[graph.order()[i]];
            }
            if (until == last) {
                break;
            }
        }
    }

    /** The earliest start of an operator after the settled ones of its block. */
    private double start(int id, int first) {
        double latest = 0;
        for (int edge : graph.in(id)) {
            int from = graph.from(edge);
            if (position[from] >= first && !Double.isNaN(end[from])) {
                latest = Math.max(latest, end[from] + transfer[edge] * values[edge]);
            }
        }
        return latest;
    }

    /**
     * The longest path from the start of each operator to the end of its block, with a guess of x.
     */
    private double[] guessTails(int first, int last) {
        double[] tail = new double[graph.size()];
        for (int i = last; i >= first; i--) {
            int id = graph.order()[i];
            for (int edge : graph.out(id)) {
                int to = graph.to(edge);
                if (position[to] <= last) {
                    int most = Math.max(rivals(graph.out(id)), rivals(graph.in(to)));
                    double guess = settled[edge] ? values[edge] : 1 - 1.0 / Math.max(1, most);
                    tail[id] = Math.max(tail[id], transfer[edge] * guess + tail[to]);
                }
            }
            tail[id] += seconds[id];
        }
        return tail;
    }

    /**
     * Solves the program of the operators at positions {@code begin} to {@code until}, and settles
     * the edges out of those up to {@code settle}.
     *
     * @param first the first position of the block
     * @param settle the last position whose edges are settled
     * @param last the last position of the block; edges beyond it belong to another block
     * @param tail estimated time from the start of each operator to the end of the block; null if
     *     the block is solved as a whole
     */
    private void solve(int first, int begin, int until, int settle, int last, double[] tail) {
        int[] order = graph.order();
        SctModel model = new SctModel();
        boolean open = false;
        for (int i = begin; i <= until; i++) {
            model.operator(order[i], seconds[order[i]], tail == null ? 0 : start(order[i], first));
            // In a window, the successors of an operator bound its end.
            if (tail == null || isLast(order[i], last)) {
                model.ends(order[i]);
            }
            open |= hasOpen(order[i], last);
        }
        if (!open) {
            return;
        }
        for (int i = begin; i <= until; i++) {
            for (int edge : graph.out(order[i])) {
                int to = graph.to(edge);
                if (position[to] > last) {
                    continue;
                }
                if (!settled[edge]) {
                    model.edge(edge, transfer[edge]);
                }
                if (!redundant[edge]) {
                    if (position[to] <= until) {
                        model.precedes(edge, order[i], to, sent(edge));
                    } else {
                        model.outlasts(edge, order[i], sent(edge) + tail[to]);
                    }
                }
            }
        }
        addRivals(model, begin, until, last);
        model.solve(
                steps,
                (edge, value) -> {
                    if (position[graph.from(edge)] <= settle) {
                        values[edge] = value;
                        settled[edge] = true;
                    }
                });
    }

    /**
     * Adds the constraints that all edges out of an operator but one are 1, and likewise all edges
     * into it.
     */
    private void addRivals(SctModel model, int begin, int until, int last) {
        for (int i = begin; i <= until; i++) {
            addRivals(model, graph.out(graph.order()[i]), begin, until, last);
        }
        boolean[] done = new boolean[last + 1];
        for (int i = begin; i <= until; i++) {
            for (int edge : graph.out(graph.order()[i])) {
                int place = position[graph.to(edge)];
                if (place <= last && !settled[edge] && !done[place]) {
                    done[place] = true;
                    addRivals(model, graph.in(graph.to(edge)), begin, until, last);
                }
            }
        }
    }

    private void addRivals(SctModel model, int[] edges, int begin, int until, int last) {
        double least = -1;
        List<Integer> open = new ArrayList<>();
        for (int edge : edges) {
            int from = position[graph.from(edge)];
            if (transfer[edge] == 0 || position[graph.to(edge)] > last) {
                continue;
            }
            if (settled[edge]) {
                least += 1 - values[edge];
            } else if (from >= begin && from <= until) {
                least += 1;
                open.add(edge);
            }
        }
        if (open.size() > 0 && least > 0) {
            model.atLeast(open, least);
        }
    }

    /** True if no operator of the block waits for this operator. */
    private boolean isLast(int id, int last) {
        for (int edge : graph.out(id)) {
            if (!redundant[edge] && position[graph.to(edge)] <= last) {
                return false;
            }
        }
        return true;
    }

    private boolean hasOpen(int id, int last) {
        for (int edge : graph.out(id)) {
            if (!settled[edge] && position[graph.to(edge)] <= last) {
                return true;
            }
        }
        return false;
    }

    /**
     * The transfer time of a settled edge. For other edges it is 0: the model adds their variable.
     */
    private double sent(int edge) {
        return settled[edge] ? transfer[edge] * values[edge] : 0;
    }
}
