package dev.levee.k8s.allocator.policy;

import dev.levee.k8s.allocator.LearningRateRule;
import dev.levee.k8s.allocator.Policy;
import dev.levee.k8s.allocator.policy.EraPolicy.Efficiency;
import dev.levee.k8s.allocator.policy.EraPolicy.Penalty;

import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;

/** All policies by name. */
public final class Policies {
    private static final List<String> NAMES =
            List.of(
                    "static",
                    "autoscaler",
                    "afs-p",
                    "tiresias",
                    "optimus",
                    "era",
                    "era-no-batch",
                    "era-no-workers",
                    "era-pause",
                    "era-curve",
                    "era-nodes",
                    "era-goodput",
                    "era-goodput-unknown",
                    "power-mean");

    /** The allocator's default; docs/benchmarks/policies.md gives the reasons. */
    public static final String DEFAULT = "era-goodput";

    private Policies() {}

    /** The names of all policies. */
    public static List<String> names() {
        return NAMES;
    }

    /**
     * Checks that an option has an effect.
     *
     * @param use true of the policies that use the option
     * @param chosen names of the policies that were chosen
     * @throws IllegalArgumentException if none of these uses the option; one sentence
     */
    public static void checkUse(String option, Predicate<Policy> use, List<String> chosen) {
        List<String> users = NAMES.stream().filter(name -> use.test(named(name, 1))).toList();
        if (Collections.disjoint(users, chosen)) {
            throw new IllegalArgumentException(
                    "%s is for --policy %s, got %s"
                            .formatted(
                                    option, String.join(", ", users), String.join(", ", chosen)));
        }
    }

    /**
     * The policy with a name.
     *
     * @param decisionSeconds time between its decisions
     * @throws IllegalArgumentException if there is no such policy; the message lists all names
     */
    public static Policy named(String name, double decisionSeconds) {
        return named(name, decisionSeconds, Tuning.DEFAULT);
    }

    /**
     * The policy with a name and the given thresholds, learning-rate rule and bound on fairness.
     *
     * @param decisionSeconds time between its decisions
     * @throws IllegalArgumentException if there is no such policy; the message lists all names
     */
    public static Policy named(String name, double decisionSeconds, Tuning tuning) {
        Policy free = tuned(name, decisionSeconds, tuning);
        Policy policy =
                tuning.rhoBound() == Double.POSITIVE_INFINITY
                        ? free
                        : new BoundedPolicy(free, tuning.rhoBound(), decisionSeconds);
        return tuning.rates() == LearningRateRule.LINEAR
                ? policy
                : new RatedPolicy(policy, tuning.rates());
    }

    private static Policy tuned(String name, double decisionSeconds, Tuning tuning) {
        return switch (name) {
            case "static" -> new StaticPolicy();
            case "autoscaler" -> new AutoscalerPolicy();
            case "afs-p" -> new AfsPolicy();
            case "tiresias" -> new TiresiasPolicy();
            case "optimus" -> new OptimusPolicy();
            case "era" ->
                    era(
                            name,
                            true,
                            true,
                            Efficiency.LINEAR,
                            Penalty.COUNT,
                            decisionSeconds,
                            tuning);
            case "era-no-batch" ->
                    era(
                            name,
                            true,
                            false,
                            Efficiency.LINEAR,
                            Penalty.COUNT,
                            decisionSeconds,
                            tuning);
            case "era-no-workers" ->
                    era(
                            name,
                            false,
                            true,
                            Efficiency.LINEAR,
                            Penalty.COUNT,
                            decisionSeconds,
                            tuning);
            case "era-pause" ->
                    era(
                            name,
                            true,
                            true,
                            Efficiency.LINEAR,
                            Penalty.PAUSE,
                            decisionSeconds,
                            tuning);
            case "era-curve" ->
                    era(name, true, true, Efficiency.CURVE, Penalty.PAUSE, decisionSeconds, tuning);
            case "era-nodes" -> new EraNodesPolicy(decisionSeconds, tuning);
            case "era-goodput" -> goodput(name, Objective.PRICE, true, decisionSeconds, tuning);
            case "era-goodput-unknown" ->
                    goodput(name, Objective.PRICE, false, decisionSeconds, tuning);
            case "power-mean" ->
                    goodput(name, Objective.POWER_MEAN, false, decisionSeconds, tuning);
            default ->
                    throw new IllegalArgumentException(
                            "unknown policy %s: known are %s"
                                    .formatted(name, String.join(", ", NAMES)));
        };
    }

    private static Policy goodput(
            String name,
            Objective objective,
            boolean useDeclared,
            double decisionSeconds,
            Tuning tuning) {
        return new GoodputPolicy(
                name, objective, useDeclared, tuning.longestWait(), decisionSeconds);
    }

    private static Policy era(
            String name,
            boolean workers,
            boolean batch,
            Efficiency efficiency,
            Penalty penalty,
            double decisionSeconds,
            Tuning tuning) {
        return new EraPolicy(
                name,
                workers,
                batch,
                efficiency,
                penalty,
                decisionSeconds,
                tuning.compute(),
                tuning.memory(),
                tuning.rates());
    }
}
