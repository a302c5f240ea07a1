package dev.levee.gar.rules;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reduction;
import dev.levee.gar.Reference;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The mean of the rows whose distance from the coordinate-wise median is at most the median of
 * these distances (Boussetta, El-Mhamdi, Guerraoui, Maurer, Rouault, "AKSEL: Fast Byzantine SGD",
 * OPODIS 2020).
 *
 * @param nearest whether the n − f nearest rows are averaged instead
 */
public record Aksel(boolean nearest) implements MajorityRule, WeightedRule {
    private static final Look LOOK = new Look(false, true, false, List.of(Reference.MEDIAN));

    @Override
    public String name() {
        return nearest ? "aksel(nearest)" : "aksel";
    }

    @Override
    public Look look() {
        return LOOK;
    }

    @Override
    public Step decide(int phase, RowMap mixed, LookResult looked, Round round, RuleState state) {
        int n = round.rows();
        double[] distances = new double[n];
        Arrays.setAll(distances, i -> Ranking.worst(looked.squaredDistance(i, n)));
        double cut = Ranking.median(distances);
        int[] rows =
                nearest
                        ? Ranking.least(distances, n - round.f())
                        : IntStream.range(0, n).filter(i -> distances[i] <= cut).toArray();
        return new Step.Reduce(
                RowWeights.select(rows, round), new Reduction.Mean(), RuleState.NONE, distances);
    }
}
