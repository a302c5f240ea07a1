package dev.levee.operators.placement.algorithm;

import org.ojalgo.optimisation.Expression;
import org.ojalgo.optimisation.ExpressionsBasedModel;
import org.ojalgo.optimisation.Optimisation;
import org.ojalgo.optimisation.Variable;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ObjDoubleConsumer;

/** A linear program in start times, edges and the makespan, which ojAlgo solves. */
final class SctModel {
    /**
     * Weight of the edges' mean beside w: among solutions with equal w, it prefers short transfers.
     */
    private static final double TIE_BREAK = 1e-6;

    static {
        // Otherwise ojAlgo prints that it has no profile of this hardware.
        System.setProperty("shut.up.ojAlgo", "true");
    }

    private final ExpressionsBasedModel model = new ExpressionsBasedModel();
    private final Variable makespan = model.newVariable("w").lower(0).weight(1);
    private final Map<Integer, Variable> starts = new LinkedHashMap<>();
    private final Map<Integer, Variable> edges = new LinkedHashMap<>();
    private final Map<Integer, Double> durations = new HashMap<>();
    private final Map<Integer, Double> costs = new HashMap<>();

    /** A value of each edge that satisfies all constraints on edges. */
    private final Map<Integer, Double> shares = new HashMap<>();

    private int rivals;

    /** Adds an operator that starts no earlier than {@code earliest}. */
    void operator(int id, double seconds, double earliest) {
        Variable start = model.newVariable("s" + id).lower(earliest);
        starts.put(id, start);
        durations.put(id, seconds);
    }

    /** Adds the constraint that an operator ends within the makespan. */
    void ends(int id) {
        model.newExpression("end" + id)
                .lower(durations.get(id))
                .set(makespan, 1)
                .set(starts.get(id), -1);
    }

    /** Adds an edge with a variable. */
    void edge(int edge, double seconds) {
        edges.put(edge, model.newVariable("x" + edge).lower(0).upper(1));
        costs.put(edge, seconds);
    }

    /** Adds the constraint that one operator starts after another. */
    void precedes(int edge, int from, int to, double sent) {
        Expression precedence =
                model.newExpression("edge" + edge)
                        .lower(durations.get(from) + sent)
                        .set(starts.get(to), 1)
                        .set(starts.get(from), -1);
        addEdge(precedence, edge);
    }

    /**
     * Adds the constraint that at least {@code after} seconds pass between an operator's end and
     * the makespan.
     */
    void outlasts(int edge, int from, double after) {
        Expression tail =
                model.newExpression("edge" + edge)
                        .lower(durations.get(from) + after)
                        .set(makespan, 1)
                        .set(starts.get(from), -1);
        addEdge(tail, edge);
    }

    private void addEdge(Expression expression, int edge) {
        if (edges.containsKey(edge)) {
            expression.set(edges.get(edge), -costs.get(edge));
        }
    }

    /** Adds the constraint that some edges sum to at least {@code least}. */
    void atLeast(List<Integer> some, double least) {
        Expression sum = model.newExpression("rivals" + rivals++).lower(least);
        some.forEach(edge -> sum.set(edges.get(edge), 1));
        some.forEach(edge -> shares.merge(edge, least / some.size(), Math::max));
    }

    /**
     * Minimizes the makespan. If the solver does not finish within its steps, competing edges get
     * equal values, which are feasible but not optimal.
     *
     * @param steps maximum steps of the simplex algorithm per variable
     * @param values receives the value of each edge
     */
    void solve(int steps, ObjDoubleConsumer<Integer> values) {
        double all = costs.values().stream().mapToDouble(Double::doubleValue).sum();
        edges.forEach((edge, variable) -> variable.weight(TIE_BREAK * costs.get(edge) / all));
        long most = (long) steps * (1 + starts.size() + edges.size());
        model.options.iterations_abort = (int) Math.min(Integer.MAX_VALUE, most);
        Optimisation.Result result = model.minimise();
        boolean solved = result.getState().isFeasible();
        edges.forEach(
                (edge, variable) ->
                        values.accept(
                                edge,
                                solved
                                        ? variable.getValue().doubleValue()
                                        : shares.getOrDefault(edge, 0.0)));
    }
}
