package dev.levee.operators.flink.internal.runtime;

import org.apache.flink.api.dag.Transformation;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Distinguishes the loops of one job in names that users see. If a job has a single loop, its names
 * and descriptions do not contain the run; if it has several, all do. Operators of a run are
 * identified by their uid, which begins with the run's id and a dash.
 */
final class LoopNames {
    private static final String ROUTER = "-router";

    private LoopNames() {}

    /** The uid of a run's operator. */
    static String uid(String runId, String operator) {
        return runId + "-" + operator;
    }

    /** The co-location group that places both ends of a run's loop edge in one slot. */
    static String coLocation(String runId) {
        return "loop-" + runId;
    }

    /** True if a job already has a run. */
    static boolean has(Collection<Transformation<?>> job, String runId) {
        return runs(reachable(job)).contains(runId);
    }

    /** Adds the run to the names of a job's loops, if it has several. */
    static void distinguish(Collection<Transformation<?>> job) {
        Set<Transformation<?>> operators = reachable(job);
        Set<String> runs = runs(operators);
        if (runs.size() == 1) {
            return;
        }
        for (Transformation<?> operator : operators) {
            Optional<String> run =
                    runs.stream()
                            .filter(each -> belongs(operator, each))
                            // One id may be a prefix of another.
                            .max(Comparator.comparingInt(String::length));
            run.ifPresent(each -> call(operator, each));
        }
    }

    private static boolean belongs(Transformation<?> operator, String run) {
        return operator.getUid() != null && operator.getUid().startsWith(uid(run, ""));
    }

    private static void call(Transformation<?> operator, String run) {
        String suffix = " of " + run;
        if (!operator.getName().endsWith(suffix)) {
            operator.setName(operator.getName() + suffix);
            operator.setDescription(run + ": " + operator.getDescription());
        }
    }

    /** Sources appear only as inputs of other transformations. */
    private static Set<Transformation<?>> reachable(Collection<Transformation<?>> job) {
        Set<Transformation<?>> reached = new LinkedHashSet<>();
        ArrayDeque<Transformation<?>> next = new ArrayDeque<>(job);
        while (!next.isEmpty()) {
            Transformation<?> operator = next.remove();
            if (reached.add(operator)) {
                next.addAll(operator.getInputs());
            }
        }
        return reached;
    }

    private static Set<String> runs(Set<Transformation<?>> operators) {
        Set<String> runs = new LinkedHashSet<>();
        for (Transformation<?> operator : operators) {
            String uid = operator.getUid();
            if (uid != null && uid.endsWith(ROUTER)) {
                String run = uid.substring(0, uid.length() - ROUTER.length());
                if (coLocation(run).equals(operator.getCoLocationGroupKey())) {
                    runs.add(run);
                }
            }
        }
        return runs;
    }
}
