package dev.levee.gar.internal.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorOperators;

/** What the kernels do with vectors and the Vector API has no method for. */
final class VectorOps {
    private static final Class<? extends Vector<Float>> FLOAT_CLASS =
            VectorKernels.FLOATS.vectorType();

    private VectorOps() {}

    /** The one of two values that the least of them is not. */
    static IntVector other(IntVector a, IntVector b, IntVector least) {
        return a.lanewise(VectorOperators.XOR, b).lanewise(VectorOperators.XOR, least);
    }

    /**
     * The same vector, cast to its class. A vector that a loop carries has to be cast before it is
     * used: otherwise the compiler takes its class from the profile of the Vector API's method. If
     * that method has seen vectors of two sizes, the compiler may leave the carried vectors as
     * objects, in each pass and for good.
     */
    static FloatVector exact(FloatVector carried) {
        return (FloatVector) FLOAT_CLASS.cast(carried);
    }

    /** The order of floats as one of ints: flips all bits but the sign of negative numbers. */
    static IntVector flip(IntVector bits) {
        IntVector negative = bits.lanewise(VectorOperators.ASHR, 31);
        return bits.lanewise(VectorOperators.XOR, negative.and(Integer.MAX_VALUE));
    }
}
