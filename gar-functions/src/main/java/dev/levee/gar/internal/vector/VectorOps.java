package dev.levee.gar.internal.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorOperators;

/** Vector operations that the kernels need and the Vector API lacks. */
final class VectorOps {
    private static final Class<? extends Vector<Float>> FLOAT_CLASS =
            VectorKernels.FLOATS.vectorType();

    private VectorOps() {}

    /** The larger of two values, computed from the values and their minimum. */
    static IntVector other(IntVector a, IntVector b, IntVector least) {
        return a.lanewise(VectorOperators.XOR, b).lanewise(VectorOperators.XOR, least);
    }

    /**
     * The same vector, cast to its class. A vector that a loop carries from one iteration to the
     * next must be cast before it is used. Otherwise, the compiler takes its class from the profile
     * of the Vector API's method. If that method has seen vectors of two sizes, the compiler may
     * keep carried vectors as objects in each iteration, forever.
     */
    static FloatVector exact(FloatVector carried) {
        return (FloatVector) FLOAT_CLASS.cast(carried);
    }

    /**
     * Maps the bits of floats to ints of the same order: flips all bits except the sign of negative
     * numbers.
     */
    static IntVector flip(IntVector bits) {
        IntVector negative = bits.lanewise(VectorOperators.ASHR, 31);
        return bits.lanewise(VectorOperators.XOR, negative.and(Integer.MAX_VALUE));
    }
}
