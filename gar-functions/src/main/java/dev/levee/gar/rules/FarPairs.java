package dev.levee.gar.rules;

/**
 * The graph of pairs of rows that are farther apart than a threshold. Immutable. Sets of rows are
 * bit sets.
 */
final class FarPairs {
    private final long[][] far;
    private final long[] alive;

    private FarPairs(long[][] far, long[] alive) {
        this.far = far;
        this.alive = alive;
    }

    static FarPairs of(double[][] distances, double threshold) {
        int n = distances.length;
        int words = (n + 63) / 64;
        long[][] far = new long[n][words];
        long[] alive = new long[words];
        for (int i = 0; i < n; i++) {
            alive[i / 64] |= 1L << i;
            for (int j = 0; j < n; j++) {
                if (distances[i][j] > threshold) {
                    far[i][j / 64] |= 1L << j;
                }
            }
        }
        return new FarPairs(far, alive);
    }

    boolean alive(int row) {
        return (alive[row / 64] >>> row & 1) != 0;
    }

    /** The number of rows in the graph that are far from a row. */
    int degree(int row) {
        int count = 0;
        for (int w = 0; w < alive.length; w++) {
            count += Long.bitCount(far[row][w] & alive[w]);
        }
        return count;
    }

    /** The graph without a row. */
    FarPairs without(int row) {
        long[] left = alive.clone();
        left[row / 64] &= ~(1L << row);
        return new FarPairs(far, left);
    }

    /** The graph without the rows that are far from a given row, which then has no neighbors. */
    FarPairs withoutNeighbours(int row) {
        long[] left = alive.clone();
        for (int w = 0; w < left.length; w++) {
            left[w] &= ~far[row][w];
        }
        return new FarPairs(far, left);
    }

    /**
     * True if no pair is left after removing some set of at most {@code budget} rows, a vertex
     * cover. Uses bounded search from the row with the most pairs (Downey, Fellows, "Parameterized
     * Complexity", 3.2).
     */
    boolean covered(int budget) {
        int worst = -1;
        int most = 0;
        int twice = 0;
        int single = -1;
        for (int row = 0; row < far.length; row++) {
            int degree = alive(row) ? degree(row) : 0;
            twice += degree;
            if (degree > most) {
                most = degree;
                worst = row;
            }
            if (degree == 1) {
                single = row;
            }
        }
        if (most == 0) {
            return true;
        }
        if (twice > 2 * budget * most) {
            return false;
        }
        if (most == 1) {
            return twice / 2 <= budget;
        }
        if (single >= 0) {
            return without(neighbour(single)).covered(budget - 1);
        }
        if (most == 2) {
            return cycles() <= budget;
        }
        if (without(worst).covered(budget - 1)) {
            return true;
        }
        return most <= budget && withoutNeighbours(worst).covered(budget - most);
    }

    private int neighbour(int row) {
        for (int w = 0; w < alive.length; w++) {
            long bits = far[row][w] & alive[w];
            if (bits != 0) {
                return 64 * w + Long.numberOfTrailingZeros(bits);
            }
        }
        throw new IllegalStateException("row " + row + " has no neighbor");
    }

    /**
     * Number of rows that cover this graph, in which every row has two neighbors or none, so that
     * it consists of cycles.
     */
    private int cycles() {
        int needed = 0;
        FarPairs left = this;
        for (int row = 0; row < far.length; row++) {
            int length = 0;
            int next = row;
            while (next >= 0 && left.alive(next) && degree(next) > 0) {
                FarPairs rest = left.without(next);
                length++;
                next = rest.degree(next) > 0 ? rest.neighbour(next) : -1;
                left = rest;
            }
            needed += (length + 1) / 2;
        }
        return needed;
    }
}
