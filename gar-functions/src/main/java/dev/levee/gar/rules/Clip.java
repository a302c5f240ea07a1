package dev.levee.gar.rules;

import dev.levee.gar.Arguments;
import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.PreAggregation;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;

/**
 * Scales each row down to a bound on its norm: row × min(1, c/‖row‖). Rows with a non-finite norm
 * become zero.
 *
 * @param c the largest Euclidean norm, above 0; {@link #MEDIAN} for the median of the finite norms
 */
public record Clip(double c) implements PreAggregation {
    /** The bound that stands for the median norm. */
    public static final double MEDIAN = -1;

    public Clip {
        if (!(c > 0) && c != MEDIAN) {
            throw new IllegalArgumentException(
                    "clip: the bound c must be above 0, got " + Arguments.text(c));
        }
    }

    /** Reads {@code c}, a number or {@code median}. */
    public static Clip of(Arguments arguments) {
        if (arguments.word("c", "").equals("median")) {
            return new Clip(MEDIAN);
        }
        double c = arguments.number("c");
        if (!(c > 0)) {
            throw new IllegalArgumentException(
                    "clip: the bound c must be above 0, got " + Arguments.text(c));
        }
        return new Clip(c);
    }

    @Override
    public String name() {
        return "clip(" + (c == MEDIAN ? "median" : Arguments.text(c)) + ")";
    }

    @Override
    public Look look() {
        return Look.NORMS;
    }

    @Override
    public boolean takesWeights() {
        return true;
    }

    @Override
    public RowMap map(LookResult looked, Round round) {
        double[] norms = Norms.of(looked, round.rows());
        return Norms.clipped(norms, c == MEDIAN ? Norms.median(norms) : c);
    }
}
