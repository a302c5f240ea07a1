package dev.levee.gar.rules;

/**
 * Whether a small graph has a vertex cover of bounded size, by branching on a vertex of greatest
 * degree: it is in the cover, or all its neighbours are.
 */
final class VertexCover {
    private final long[][] neighbours;
    private final int words;

    /** A graph without edges. */
    VertexCover(int vertices) {
        words = (vertices + 63) >>> 6;
        neighbours = new long[vertices][words];
    }

    /** Adds the edge between two vertices. */
    void connect(int i, int j) {
        neighbours[i][j >>> 6] |= 1L << j;
        neighbours[j][i >>> 6] |= 1L << i;
    }

    /** True if the edges among some vertices can be covered by at most {@code budget} of them. */
    boolean exists(boolean[] vertices, int budget) {
        long[] left = new long[words];
        for (int v = 0; v < vertices.length; v++) {
            if (vertices[v]) {
                left[v >>> 6] |= 1L << v;
            }
        }
        return exists(left, budget);
    }

    private boolean exists(long[] left, int budget) {
        for (int free = budget; free >= 0; free--) {
            int edges = 0;
            int widest = 0;
            int taken = -1;
            int leaf = -1;
            for (int v = next(left, 0); v >= 0; v = next(left, v + 1)) {
                int degree = degree(v, left);
                edges += degree;
                if (degree > widest) {
                    widest = degree;
                    taken = v;
                }
                if (degree == 1) {
                    leaf = v;
                }
            }
            edges /= 2;
            if (edges == 0) {
                return true;
            }
            if (edges > free * widest || matching(left) > free) {
                return false;
            }
            if (leaf >= 0) {
                // A leaf's neighbour covers whatever the leaf would.
                taken = firstNeighbour(leaf, left);
            } else if (widest > 2 && widest <= free) {
                long[] without = left.clone();
                remove(taken, without);
                if (exists(without, free - 1)) {
                    return true;
                }
                for (int w = 0; w < words; w++) {
                    without[w] &= ~neighbours[taken][w];
                }
                return exists(without, free - widest);
            }
            // Else only cycles are left, where any vertex is as good, or no budget for neighbours.
            remove(taken, left);
        }
        return false;
    }

    /** Edges of a greedy matching: each needs a vertex of its own in the cover. */
    private int matching(long[] left) {
        long[] single = left.clone();
        int pairs = 0;
        for (int v = next(single, 0); v >= 0; v = next(single, v + 1)) {
            int other = firstNeighbour(v, single);
            if (other >= 0) {
                remove(v, single);
                remove(other, single);
                pairs++;
            }
        }
        return pairs;
    }

    /** The first neighbour of a vertex among those left, or -1. */
    private int firstNeighbour(int v, long[] left) {
        for (int w = 0; w < words; w++) {
            long common = neighbours[v][w] & left[w];
            if (common != 0) {
                return (w << 6) + Long.numberOfTrailingZeros(common);
            }
        }
        return -1;
    }

    private int degree(int v, long[] left) {
        int degree = 0;
        for (int w = 0; w < words; w++) {
            degree += Long.bitCount(neighbours[v][w] & left[w]);
        }
        return degree;
    }

    private static int next(long[] set, int from) {
        for (int w = from >>> 6; w < set.length; w++) {
            long word = w == from >>> 6 ? set[w] & (-1L << from) : set[w];
            if (word != 0) {
                return (w << 6) + Long.numberOfTrailingZeros(word);
            }
        }
        return -1;
    }

    private static void remove(int v, long[] set) {
        set[v >>> 6] &= ~(1L << v);
    }
}
