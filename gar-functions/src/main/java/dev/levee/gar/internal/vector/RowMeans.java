package dev.levee.gar.internal.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** Computes means of sorted rows. Sums stay in registers, since sorted rows are in the cache. */
final class RowMeans {
    private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;

    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
    private static final int L = DOUBLES.length();

    private RowMeans() {}

    /**
     * Means of sorted keys. {@code whole} is the number of columns, a multiple of a register's
     * length.
     */
    static void ofRanks(int[][] keys, int low, int high, int whole, float[] out, int to) {
        double count = high - low + 1;
        double below = Quotient.below(count);
        double above = Quotient.above(count);
        for (int i = 0; i < whole; i += 2 * L) {
            DoubleVector lower = DoubleVector.zero(DOUBLES);
            DoubleVector upper = DoubleVector.zero(DOUBLES);
            for (int r = low; r <= high; r++) {
                FloatVector values =
                        VectorOps.flip(IntVector.fromArray(INTS, keys[r], i)).reinterpretAsFloats();
                lower = lower.add(values.convertShape(VectorOperators.F2D, DOUBLES, 0));
                upper = upper.add(values.convertShape(VectorOperators.F2D, DOUBLES, 1));
            }
            Quotient.write(lower, count, below, above, out, to + i);
            Quotient.write(upper, count, below, above, out, to + i + L);
        }
    }
}
