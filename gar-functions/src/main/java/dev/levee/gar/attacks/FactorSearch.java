package dev.levee.gar.attacks;

import java.util.function.DoubleUnaryOperator;

/**
 * Searches for the factor at which a function is largest. The function may jump where a rule
 * changes its decision. The search tries 2⁻¹⁰, 2⁻⁹, …, 2¹⁰, then makes 16 golden-section steps on
 * the logarithmic scale between the neighbors of the best factor. The best of the 37 factors wins
 * (ties: the first). NaN counts as less than any number.
 */
final class FactorSearch {
    private static final int OCTAVES = 10;
    private static final int STEPS = 16;
    private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;

    private final DoubleUnaryOperator value;
    private double best = 1;
    private double largest = Double.NEGATIVE_INFINITY;

    private FactorSearch(DoubleUnaryOperator value) {
        this.value = value;
    }

    static double best(DoubleUnaryOperator value) {
        FactorSearch search = new FactorSearch(value);
        int octave = -OCTAVES;
        for (int k = -OCTAVES; k <= OCTAVES; k++) {
            double before = search.largest;
            search.tried(k);
            octave = search.largest > before ? k : octave;
        }
        search.section(octave - 1, octave + 1);
        return search.best;
    }

    private void section(double from, double to) {
        double low = from;
        double high = to;
        double left = high - GOLDEN * (high - low);
        double right = low + GOLDEN * (high - low);
        double atLeft = tried(left);
        double atRight = tried(right);
        for (int step = 2; step < STEPS; step++) {
            if (atLeft >= atRight) {
                high = right;
                right = left;
                atRight = atLeft;
                left = high - GOLDEN * (high - low);
                atLeft = tried(left);
            } else {
                low = left;
                left = right;
                atLeft = atRight;
                right = low + GOLDEN * (high - low);
                atRight = tried(right);
            }
        }
    }

    private double tried(double logarithm) {
        double factor = StrictMath.pow(2, logarithm);
        double found = value.applyAsDouble(factor);
        double comparable = Double.isNaN(found) ? Double.NEGATIVE_INFINITY : found;
        if (comparable > largest) {
            largest = comparable;
            best = factor;
        }
        return comparable;
    }
}
