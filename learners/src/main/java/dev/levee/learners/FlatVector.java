package dev.levee.learners;

import java.util.Arrays;

/** A flat vector that is read in ranges, so that the whole vector need not be in memory. */
public interface FlatVector {
    /** Number of coordinates. */
    int size();

    /** A copy of the {@code length} coordinates from {@code from} on. */
    float[] range(int from, int length);

    /** All coordinates in one array; not to be changed. */
    default float[] all() {
        return range(0, size());
    }

    /** A view of the first {@code length} coordinates. */
    default FlatVector first(int length) {
        FlatVector all = this;
        return new FlatVector() {
            @Override
            public int size() {
                return length;
            }

            @Override
            public float[] range(int from, int count) {
                return all.range(from, count);
            }
        };
    }

    /** A vector in memory. */
    static FlatVector of(float[] values) {
        return new FlatVector() {
            @Override
            public int size() {
                return values.length;
            }

            @Override
            public float[] range(int from, int length) {
                return Arrays.copyOfRange(values, from, from + length);
            }

            @Override
            public float[] all() {
                return values;
            }
        };
    }
}
