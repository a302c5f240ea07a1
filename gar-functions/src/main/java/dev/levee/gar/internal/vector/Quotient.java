package dev.levee.gar.internal.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * Computes quotients of doubles, rounded to float. It multiplies by the reciprocal, whose result is
 * off by less than 2⁻⁵¹ of the quotient. If the numbers at both ends of this error round to the
 * same float, the quotient does, too. Otherwise, it divides.
 */
final class Quotient {
    private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;

    /** A vector of as many floats as a full register has doubles. */
    private static final VectorSpecies<Float> HALF =
            VectorSpecies.of(float.class, VectorShape.forBitSize(DOUBLES.vectorBitSize() / 2));

    private Quotient() {}

    static double below(double divisor) {
        return 1 / divisor * (1 - 0x1p-51);
    }

    static double above(double divisor) {
        return 1 / divisor * (1 + 0x1p-51);
    }

    /** Writes {@code length} quotients. The length is a multiple of a register's length. */
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
