package dev.levee.gar.rules;

import dev.levee.gar.Arguments;
import dev.levee.gar.LookResult;
import dev.levee.gar.PreAggregation;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;

import java.util.Arrays;

/**
 * Lowers the weights of rows to a multiple of their median, so that a sender that claims too many
 * samples cannot outweigh the others. The rows stay as they are. The median of an even number of
 * weights is the lower of the two middle ones. If at most f of n ≥ 2f + 1 weights are false, the
 * median is at most the largest honest weight.
 *
 * @param factor multiple of the median, at least 1
 */
public record CapWeights(double factor) implements PreAggregation {
    /**
     * Checks the factor.
     *
     * @throws IllegalArgumentException if it is below 1; one sentence
     */
    public CapWeights {
        if (!(factor >= 1 && factor < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "cap-weights: the factor must be at least 1, got " + Arguments.text(factor));
        }
    }

    @Override
    public String name() {
        return "cap-weights(" + Arguments.text(factor) + ")";
    }

    @Override
    public RowMap map(LookResult looked, Round round) {
        return RowMap.identity(round.rows(), round.rows());
    }

    @Override
    public int minimumRows(int f) {
        return RowLimit.rows(2L * f + 1);
    }

    @Override
    public String limit() {
        return "n ≥ 2f + 1";
    }

    @Override
    public boolean takesWeights() {
        return true;
    }

    @Override
    public Round after(Round round) {
        double[] sorted = round.weights().clone();
        if (sorted.length == 0) {
            return round;
        }
        Arrays.sort(sorted);
        double most = factor * sorted[(sorted.length - 1) / 2];
        return round.withWeights(
                Arrays.stream(round.weights()).map(weight -> Math.min(weight, most)).toArray());
    }
}
