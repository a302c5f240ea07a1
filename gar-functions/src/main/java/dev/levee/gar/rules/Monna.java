package dev.levee.gar.rules;

import dev.levee.gar.Look;
import dev.levee.gar.Looked;
import dev.levee.gar.Reduction;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;

import java.util.Arrays;

/**
 * The mean of the n − f rows nearest to a trusted row, such as a node's own (Farhadkhani,
 * Guerraoui, Gupta, Hoang, Pinot, Stephan, "Robust Collaborative Learning with Linear Gradient
 * Overhead", ICML 2023, algorithm 1).
 *
 * @param trusted which row is trusted, from 0
 */
public record Monna(int trusted) implements MajorityRule {
    public Monna {
        if (trusted < 0) {
            throw new IllegalArgumentException(
                    "monna: trusted must be the number of a row, from 0, got " + trusted);
        }
    }

    @Override
    public String name() {
        return trusted == 0 ? "monna" : "monna(trusted=" + trusted + ")";
    }

    @Override
    public int minimumRows(int f) {
        return Math.max(2 * f, trusted) + 1;
    }

    @Override
    public Look look() {
        return Look.DISTANCES;
    }

    @Override
    public Step decide(int phase, RowMap mixed, Looked looked, Round round, RuleState state) {
        int n = round.rows();
        // Proven faults may leave fewer rows than there were.
        int own = Math.min(trusted, n - 1);
        double[] distances = new double[n];
        Arrays.setAll(
                distances,
                i -> i == own ? -1 : Ranking.worst(Math.sqrt(looked.squaredDistance(own, i))));
        RowMap nearest = RowMap.select(Ranking.least(distances, n - round.f()), n);
        distances[own] = 0;
        return new Step.Reduce(nearest, new Reduction.Mean(), RuleState.NONE, distances);
    }
}
