package dev.levee.gar.rules;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reduction;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.Rule;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;

import java.util.Arrays;
import java.util.List;

/**
 * The mean of the n − f rows nearest to a trusted row, such as a node's own (Farhadkhani,
 * Guerraoui, Gupta, Hoang, Pinot, Stephan, "Robust Collaborative Learning with Linear Gradient
 * Overhead", ICML 2023, algorithm 1).
 *
 * @param worker id of the trusted worker; rounds without its row are refused
 */
public record Monna(String worker) implements MajorityRule, WeightedRule {
    /** The worker that is trusted unless another one is named. */
    public static final String DEFAULT = Round.worker(0);

    public Monna {
        if (worker.isBlank()) {
            throw new IllegalArgumentException(
                    "monna: trusted must be the id of a worker, such as w0, got nothing");
        }
    }

    @Override
    public String name() {
        return worker.equals(DEFAULT) ? "monna" : "monna(trusted=" + worker + ")";
    }

    @Override
    public List<String> trusted() {
        return List.of(worker);
    }

    @Override
    public Rule as(String self) {
        return worker.equals(DEFAULT) ? new Monna(self) : this;
    }

    @Override
    public Look look() {
        return Look.DISTANCES;
    }

    @Override
    public Look look(Round round) {
        return Look.from(round.row(worker));
    }

    @Override
    public Step decide(int phase, RowMap mixed, LookResult looked, Round round, RuleState state) {
        int n = round.rows();
        check(round);
        int own = round.row(worker);
        double[] distances = new double[n];
        Arrays.setAll(
                distances,
                i -> i == own ? -1 : Ranking.worst(Math.sqrt(looked.squaredDistance(own, i))));
        int[] nearest = Ranking.least(distances, n - round.f());
        distances[own] = 0;
        return new Step.Reduce(
                RowWeights.select(nearest, round), new Reduction.Mean(), RuleState.NONE, distances);
    }
}
