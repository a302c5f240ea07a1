package dev.levee.gar.internal.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * Quotients of doubles, rounded to float. Multiplies by the reciprocal, which is off by less than
 * 2⁻⁵¹ of the quotient: if numbers that much smaller and larger round to the same float, so does
 * the quotient.
 */
final class Quotient {
    private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;

    /** A register of as many floats as a register holds doubles. */
    private static final VectorSpecies<Float> HALF =
            VectorSpecies.of(float.class, VectorShape.forBitSize(DOUBLES.vectorBitSize() / 2));

    private Quotient() {}

    static double below(double divisor) {
        return 1 / divisor * (1 - 0x1p-51);
    }

    static double above(double divisor) {
        return 1 / divisor * (1 + 0x1p-51);
    }

    /** Writes {@code length} quotients, a multiple of a register's. */
    static void write(double[] sums, double divisor, int length, float[] out, int to) {
        double below = below(divisor);
        double above = above(divisor);
        for (int i = 0; i < length; i += DOUBLES.length()) {
            write(DoubleVector.fromArray(DOUBLES, sums, i), divisor, below, above, out, to + i);
        }
    }

    static void write(
            DoubleVector sum, double divisor, double below, double above, float[] out, int at) {
        FloatVector low = narrow(sum.mul(below));
        if (low.compare(VectorOperators.EQ, narrow(sum.mul(above))).allTrue()) {
            low.intoArray(out, at);
        } else {
            narrow(sum.div(divisor)).intoArray(out, at);
        }
    }

    private static FloatVector narrow(DoubleVector values) {
        return (FloatVector) values.convertShape(VectorOperators.D2F, HALF, 0);
    }
}
