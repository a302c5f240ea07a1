package dev.levee.gar.rules;

import dev.levee.gar.Arguments;
import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reduction;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;

import java.util.stream.IntStream;

/**
 * The mean of all rows after each is scaled down to a bound on its norm (Sun, Kairouz, Suresh,
 * McMahan, "Can You Really Backdoor Federated Learning?", 2019, section 4). A row that is not
 * finite counts as zero.
 *
 * @param multiple the bound in median norms of the round, above 0
 * @param bound the bound itself, 0 if it is a multiple of the median norm
 */
public record NormThreshold(double multiple, double bound) implements MajorityRule, WeightedRule {
    public NormThreshold {
        if (!(multiple > 0 && bound >= 0)) {
            throw new IllegalArgumentException(
                    "norm-threshold: multiple and bound must be above 0, got "
                            + Arguments.text(bound == 0 ? multiple : bound));
        }
    }

    /** Reads {@code multiple} or {@code bound}. */
    public static NormThreshold of(Arguments arguments) {
        if (!arguments.has("bound")) {
            return new NormThreshold(arguments.number("multiple", 1), 0);
        }
        if (arguments.has("multiple")) {
            throw new IllegalArgumentException("norm-threshold takes multiple or bound, not both");
        }
        double bound = arguments.number("bound");
        if (!(bound > 0)) {
            throw new IllegalArgumentException(
                    "norm-threshold: bound must be above 0, got " + Arguments.text(bound));
        }
        return new NormThreshold(1, bound);
    }

    @Override
    public String name() {
        if (bound > 0) {
            return "norm-threshold(bound=" + Arguments.text(bound) + ")";
        }
        return multiple == 1
                ? "norm-threshold"
                : "norm-threshold(multiple=" + Arguments.text(multiple) + ")";
    }

    @Override
    public Look look() {
        return Look.NORMS;
    }

    @Override
    public Step decide(int phase, RowMap mixed, LookResult looked, Round round, RuleState state) {
        int n = round.rows();
        double[] norms = Norms.of(looked, n);
        double largest = bound > 0 ? bound : multiple * Norms.median(norms);
        int[] all = IntStream.range(0, n).toArray();
        RowMap map = RowWeights.scale(Norms.clipped(norms, largest), all, round);
        return new Step.Reduce(map, new Reduction.Mean(), RuleState.NONE, norms);
    }
}
