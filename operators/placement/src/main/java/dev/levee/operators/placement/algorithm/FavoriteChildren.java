package dev.levee.operators.placement.algorithm;

import dev.levee.operators.placement.graph.Cluster;
import dev.levee.operators.placement.graph.OperatorGraph;

import org.ojalgo.optimisation.Expression;
import org.ojalgo.optimisation.ExpressionsBasedModel;
import org.ojalgo.optimisation.Optimisation;
import org.ojalgo.optimisation.Variable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The favourite children of SCT. In the linear program an edge e = (u, v) has a variable x from 0
 * to 1, where 0 says that v runs where u ran; operators have start times s, and w is the makespan:
 * minimise w subject to s<sub>u</sub> + p<sub>u</sub> + c<sub>e</sub>·x<sub>e</sub> ≤ s<sub>v</sub>
 * and s<sub>v</sub> + p<sub>v</sub> ≤ w, where at most one edge out of an operator and at most one
 * into it may be 0 (Hanen and Munier 1995; Baechi, section 3.3). Where devices or links differ, p
 * is the time at their mean speed and c the mean over all pairs.
 *
 * <p>An operator that lies on every path cuts the program in two that have nothing in common but
 * their lengths added up, so each block between two such operators is solved alone, which changes
 * no optimum. What makes no difference to w is decided for short transfers.
 */
final class FavoriteChildren {
    /** Weight of all transfers together, beside w: too little to make w longer. */
    private static final double TIE_BREAK = 1e-6;

    private final OperatorGraph graph;
    private final double[] seconds;
    private final double[] transfer;
    private final boolean[] redundant;
    private final double[] relaxed;

    private FavoriteChildren(OperatorGraph graph, Cluster cluster) {
        this.graph = graph;
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
        // The solver's tolerances are for numbers near 1.
        if (unit > 0) {
            for (int id = 0; id < seconds.length; id++) {
                seconds[id] /= unit;
            }
            for (int edge = 0; edge < transfer.length; edge++) {
                transfer[edge] /= unit;
            }
        }
        redundant = new boolean[transfer.length];
        relaxed = new double[transfer.length];
        Arrays.fill(relaxed, 1);
    }

    /** Edges within a colocation group never cross a link. */
    private boolean colocated(int edge) {
        int group = graph.group(graph.from(edge));
        return group >= 0 && group == graph.group(graph.to(edge));
    }

    /** The relaxed values of all edges; 1 where nothing is sent. */
    static double[] relaxed(OperatorGraph graph, Cluster cluster) {
        FavoriteChildren program = new FavoriteChildren(graph, cluster);
        program.dropRedundant();
        program.solveBlocks();
        return program.relaxed;
    }

    /**
     * The favourite child of each operator, or −1. Rounding can give an operator two of them, or
     * one child two parents; then the edge of the higher id wins, and as in Baechi's code the older
     * parent loses its favourite child, whichever that is by then.
     *
     * @param relaxed values of all edges
     * @param threshold below it an edge leads to a favourite child
     */
    static int[] of(OperatorGraph graph, double[] relaxed, double threshold) {
        int[] favorite = new int[graph.size()];
        int[] parent = new int[graph.size()];
        Arrays.fill(favorite, -1);
        Arrays.fill(parent, -1);
        for (int edge = 0; edge < graph.edges(); edge++) {
            if (relaxed[edge] < threshold) {
                int child = graph.to(edge);
                favorite[graph.from(edge)] = child;
                if (parent[child] >= 0) {
                    favorite[parent[child]] = -1;
                }
                parent[child] = graph.from(edge);
            }
        }
        return favorite;
    }

    /** Edges that cost nothing and whose ends another path connects say nothing. */
    private void dropRedundant() {
        int[] position = new int[graph.size()];
        for (int i = 0; i < position.length; i++) {
            position[graph.order()[i]] = i;
        }
        int[] seen = new int[graph.size()];
        int[] stack = new int[graph.size()];
        for (int edge = 0; edge < transfer.length; edge++) {
            if (transfer[edge] == 0) {
                redundant[edge] = detour(edge, position, seen, stack);
            }
        }
    }

    private boolean detour(int edge, int[] position, int[] seen, int[] stack) {
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

    private void solveBlocks() {
        int[] order = graph.order();
        int[] position = new int[order.length];
        int lastSource = 0;
        for (int i = 0; i < order.length; i++) {
            position[order[i]] = i;
            if (graph.in(order[i]).length == 0) {
                lastSource = i;
            }
        }
        int reach = 0;
        int begin = 0;
        for (int i = 0; i < order.length; i++) {
            // No path ends, begins or leads past this place, so its operator is on all of them.
            if (reach <= i && lastSource <= i && i > begin) {
                solve(Arrays.copyOfRange(order, begin, i + 1));
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
        solve(Arrays.copyOfRange(order, begin, order.length));
    }

    /** Solves what lies between the first and the last of some operators. */
    private void solve(int[] block) {
        Set<Integer> inside = new HashSet<>();
        for (int id : block) {
            inside.add(id);
        }
        List<Integer> costly = new ArrayList<>();
        for (int id : block) {
            for (int edge : graph.out(id)) {
                if (transfer[edge] > 0 && inside.contains(graph.to(edge))) {
                    costly.add(edge);
                }
            }
        }
        Map<Integer, List<Integer>> outs = byEnd(costly, true);
        Map<Integer, List<Integer>> ins = byEnd(costly, false);
        List<Integer> open = new ArrayList<>();
        for (int edge : costly) {
            // The only one at both its ends has no rival.
            if (outs.get(graph.from(edge)).size() == 1 && ins.get(graph.to(edge)).size() == 1) {
                relaxed[edge] = 0;
            } else {
                open.add(edge);
            }
        }
        if (!open.isEmpty()) {
            solve(block, inside, open, List.of(outs, ins));
        }
    }

    private Map<Integer, List<Integer>> byEnd(List<Integer> edges, boolean out) {
        Map<Integer, List<Integer>> lists = new LinkedHashMap<>();
        for (int edge : edges) {
            lists.computeIfAbsent(out ? graph.from(edge) : graph.to(edge), key -> new ArrayList<>())
                    .add(edge);
        }
        return lists;
    }

    private void solve(
            int[] block,
            Set<Integer> inside,
            List<Integer> open,
            List<Map<Integer, List<Integer>>> rivals) {
        ExpressionsBasedModel model = new ExpressionsBasedModel();
        Variable makespan = model.newVariable("w").lower(0).weight(1);
        double all = open.stream().mapToDouble(edge -> transfer[edge]).sum();
        Map<Integer, Variable> values = new HashMap<>();
        for (int edge : open) {
            double weight = TIE_BREAK * transfer[edge] / all;
            values.put(edge, model.newVariable("x" + edge).lower(0).upper(1).weight(weight));
        }
        Map<Integer, Variable> starts = new HashMap<>();
        for (int id : block) {
            Variable start = model.newVariable("s" + id).lower(0);
            starts.put(id, start);
            model.newExpression("end" + id).lower(seconds[id]).set(makespan, 1).set(start, -1);
        }
        for (int id : block) {
            for (int edge : graph.out(id)) {
                if (!inside.contains(graph.to(edge)) || redundant[edge]) {
                    continue;
                }
                Expression precedence =
                        model.newExpression("edge" + edge)
                                .lower(seconds[id])
                                .set(starts.get(graph.to(edge)), 1)
                                .set(starts.get(id), -1);
                if (values.containsKey(edge)) {
                    precedence.set(values.get(edge), -transfer[edge]);
                }
            }
        }
        for (Map<Integer, List<Integer>> side : rivals) {
            for (Map.Entry<Integer, List<Integer>> each : side.entrySet()) {
                if (each.getValue().size() > 1) {
                    // Those without a rival at either end are not here, so all of these are open.
                    Expression most =
                            model.newExpression(
                                    (side == rivals.get(0) ? "out" : "in") + each.getKey());
                    each.getValue().forEach(edge -> most.set(values.get(edge), 1));
                    most.lower(each.getValue().size() - 1);
                }
            }
        }
        Optimisation.Result result = model.minimise();
        if (!result.getState().isFeasible()) {
            throw new IllegalStateException(
                    "the linear program of m-SCT ended as " + result.getState());
        }
        values.forEach((edge, variable) -> relaxed[edge] = variable.getValue().doubleValue());
    }
}
