package dev.levee.operators.testing.fuzz;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reduction;
import dev.levee.gar.Reference;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.Rule;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;

import java.util.Arrays;
import java.util.List;

/**
 * Rules that use rare features of the protocol, so that schedules test them: a reference that
 * depends on the rows, the previous aggregate, and state.
 */
final class ProbeRules {
    private ProbeRules() {}

    private interface Majority extends Rule {
        @Override
        default int minimumRows(int f) {
            return 2 * f + 1;
        }

        @Override
        default String limit() {
            return "n ≥ 2f + 1";
        }
    }

    /** The mean of the half of the rows that is nearest to the median. */
    record NearMedian() implements Majority {
        @Override
        public String name() {
            return "near-median";
        }

        @Override
        public Look look() {
            return new Look(false, true, false, List.of(Reference.MEDIAN));
        }

        @Override
        public Step decide(
                int phase, RowMap mixed, LookResult looked, Round round, RuleState state) {
            int n = round.rows();
            double[] distances = new double[n];
            Arrays.setAll(distances, i -> looked.squaredDistance(i, n));
            double[] sorted = distances.clone();
            Arrays.sort(sorted);
            int[] near = new int[n];
            int count = 0;
            for (int i = 0; i < n; i++) {
                if (!(distances[i] > sorted[(n - 1) / 2])) {
                    near[count++] = i;
                }
            }
            double[] weights = new double[n];
            for (int i = 0; i < count; i++) {
                weights[near[i]] = 1.0 / count;
            }
            return new Step.Reduce(
                    new RowMap(new double[][] {weights}), new Reduction.Mean(), RuleState.NONE);
        }
    }

    /**
     * A step from the previous aggregate toward the rows; each row's pull is clipped to a radius
     * that grows with every round.
     */
    record Pull() implements Majority {
        @Override
        public String name() {
            return "pull";
        }

        @Override
        public Look look() {
            return new Look(false, true, false, List.of(Reference.PREVIOUS));
        }

        @Override
        public Step decide(
                int phase, RowMap mixed, LookResult looked, Round round, RuleState state) {
            int n = round.rows();
            double radius = state.values().length == 0 ? 0.5 : state.values()[0];
            double[] weights = new double[n + 1];
            double pulled = 0;
            for (int i = 0; i < n; i++) {
                double distance = Math.sqrt(looked.squaredDistance(i, n));
                weights[i] = distance > radius ? radius / distance / n : 1.0 / n;
                pulled += weights[i];
            }
            weights[n] = 1 - pulled;
            return new Step.Reduce(
                    new RowMap(new double[][] {weights}),
                    new Reduction.Mean(),
                    new RuleState(new double[] {1.1 * radius}));
        }
    }
}
