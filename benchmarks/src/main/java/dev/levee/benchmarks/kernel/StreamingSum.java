package dev.levee.benchmarks.kernel;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** Reads floats once as fast as possible, with four independent vectors of sums. */
final class StreamingSum {
    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;

    private StreamingSum() {}

    static float of(float[] x) {
        int lanes = FLOATS.length();
        FloatVector sum0 = FloatVector.zero(FLOATS);
        FloatVector sum1 = FloatVector.zero(FLOATS);
        FloatVector sum2 = FloatVector.zero(FLOATS);
        FloatVector sum3 = FloatVector.zero(FLOATS);
        int i = 0;
        for (; i + 4 * lanes <= x.length; i += 4 * lanes) {
            sum0 = sum0.add(FloatVector.fromArray(FLOATS, x, i));
            sum1 = sum1.add(FloatVector.fromArray(FLOATS, x, i + lanes));
            sum2 = sum2.add(FloatVector.fromArray(FLOATS, x, i + 2 * lanes));
            sum3 = sum3.add(FloatVector.fromArray(FLOATS, x, i + 3 * lanes));
        }
        float sum = sum0.add(sum1).add(sum2.add(sum3)).reduceLanes(VectorOperators.ADD);
        for (; i < x.length; i++) {
            sum += x[i];
        }
        return sum;
    }
}
