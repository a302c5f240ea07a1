package dev.levee.gar;

import java.util.Random;

/** Seeded rows for property tests, with the values that break careless arithmetic. */
public final class Samples {
    private static final float[] HARD = {
        0f,
        -0f,
        1f,
        -1f,
        Float.MIN_VALUE,
        -3e-42f,
        1e-30f,
        -1e-23f,
        1e38f,
        -1e38f,
        Float.MAX_VALUE,
        Float.NaN,
        Float.intBitsToFloat(0xffc00001),
        Float.POSITIVE_INFINITY,
        Float.NEGATIVE_INFINITY
    };

    private Samples() {}

    /** Ordinary rows: normal numbers. */
    public static float[][] normal(Random random, int n, int d) {
        float[][] rows = new float[n][d];
        for (float[] row : rows) {
            for (int i = 0; i < d; i++) {
                row[i] = (float) random.nextGaussian();
            }
        }
        return rows;
    }

    /** Rows of few different values, so that there are many ties. */
    public static float[][] tied(Random random, int n, int d) {
        float[][] rows = new float[n][d];
        for (float[] row : rows) {
            for (int i = 0; i < d; i++) {
                row[i] = random.nextInt(3) - 1;
            }
        }
        return rows;
    }

    /**
     * Rows with zeros of both signs, denormals, huge, infinite and undefined values, duplicates.
     */
    public static float[][] hard(Random random, int n, int d) {
        float[][] rows = normal(random, n, d);
        for (int r = 0; r < n; r++) {
            int share = random.nextInt(4);
            for (int i = 0; i < d; i++) {
                if (random.nextInt(4) < share) {
                    rows[r][i] = HARD[random.nextInt(HARD.length)];
                }
            }
            if (r > 0 && random.nextInt(4) == 0) {
                rows[r] = rows[random.nextInt(r)].clone();
            }
        }
        return rows;
    }

    /** Finite rows at very different scales, from denormal to the edge of overflow. */
    public static float[][] scaled(Random random, int n, int d) {
        float[][] rows = normal(random, n, d);
        for (float[] row : rows) {
            float scale = (float) Math.pow(10, random.nextInt(80) - 42);
            for (int i = 0; i < d; i++) {
                row[i] *= scale;
                if (Float.isInfinite(row[i])) {
                    row[i] = Math.copySign(1e38f, row[i]);
                }
            }
        }
        return rows;
    }

    /** A copy that shares nothing. */
    public static float[][] copy(float[][] rows) {
        float[][] copy = rows.clone();
        for (int r = 0; r < rows.length; r++) {
            copy[r] = rows[r].clone();
        }
        return copy;
    }

    /** A random order of the numbers below {@code n}. */
    public static int[] permutation(Random random, int n) {
        int[] order = new int[n];
        for (int i = 0; i < n; i++) {
            int j = random.nextInt(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        return order;
    }
}
