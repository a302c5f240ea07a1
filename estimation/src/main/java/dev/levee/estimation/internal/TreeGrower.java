package dev.levee.estimation.internal;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Grows one regression tree on weighted rows (Breiman et al. 1984): a node is split where the sum
 * of squared errors decreases most, among a random choice of columns.
 */
final class TreeGrower {
    private final Bins bins;
    private final double[] target;
    private final int depth;
    private final int leaf;
    private final int considered;
    private final SplittableRandom random;
    private final int[] columns;
    private final double[] sums = new double[256];
    private final int[] counts = new int[256];

    /**
     * Weighted targets of the current node's rows, in the order of the rows, so that each column
     * reads them sequentially.
     */
    private final double[] weighted;

    private final int[] weightOf;
    private int[] weights;
    private int[] rows;
    private Tree tree;

    /**
     * Creates a grower of trees for one target.
     *
     * @param depth maximum number of splits from the root to a leaf
     * @param leaf minimum number of rows of a leaf
     * @param considered number of columns considered per split; more are considered if none of
     *     these has a split
     */
    TreeGrower(
            Bins bins,
            double[] target,
            int depth,
            int leaf,
            int considered,
            SplittableRandom random) {
        this.bins = bins;
        this.target = target;
        this.depth = depth;
        this.leaf = leaf;
        this.considered = considered;
        this.random = random;
        this.weighted = new double[target.length];
        this.weightOf = new int[target.length];
        this.columns = new int[bins.columns()];
        Arrays.setAll(columns, j -> j);
    }

    /** Grows a tree on n rows drawn with replacement. */
    Tree grow() {
        int n = target.length;
        weights = new int[n];
        for (int i = 0; i < n; i++) {
            weights[random.nextInt(n)]++;
        }
        rows = new int[n];
        int drawn = 0;
        for (int i = 0; i < n; i++) {
            if (weights[i] > 0) {
                rows[drawn++] = i;
            }
        }
        tree = new Tree();
        node(0, drawn, 0);
        return tree;
    }

    /** Grows the node of the rows {@code from} to {@code to}, and returns the node's number. */
    private int node(int from, int to, int level) {
        double sum = 0;
        int count = 0;
        for (int i = from; i < to; i++) {
            weightOf[i] = weights[rows[i]];
            weighted[i] = weightOf[i] * target[rows[i]];
            sum += weighted[i];
            count += weightOf[i];
        }
        int node = tree.add(sum / count);
        Split split = level < depth && count >= 2 * leaf ? split(from, to, sum, count) : null;
        if (split != null) {
            int middle = partition(from, to, split);
            int below = node(from, middle, level + 1);
            int above = node(middle, to, level + 1);
            tree.split(node, split.column(), bins.edge(split.column(), split.bin()), below, above);
        }
        return node;
    }

    /** A split of a column. Rows in bins up to {@code bin} go to the lower node. */
    private record Split(int column, int bin, double gain) {}

    private Split split(int from, int to, double sum, int count) {
        Split best = null;
        for (int k = 0; k < columns.length && (k < considered || best == null); k++) {
            int other = k + random.nextInt(columns.length - k);
            int column = columns[other];
            columns[other] = columns[k];
            columns[k] = column;
            Split found = split(column, from, to, sum, count);
            if (found != null && (best == null || found.gain() > best.gain())) {
                best = found;
            }
        }
        return best;
    }

    private Split split(int column, int from, int to, double sum, int count) {
        int size = bins.count(column);
        byte[] codes = bins.codes(column);
        Arrays.fill(sums, 0, size, 0);
        Arrays.fill(counts, 0, size, 0);
        for (int i = from; i < to; i++) {
            int bin = codes[rows[i]] & 0xFF;
            sums[bin] += weighted[i];
            counts[bin] += weightOf[i];
        }
        // The score without a split; a split must exceed it by more than rounding.
        double least = sum * sum / count;
        double best = least + 1e-12 * Math.abs(least);
        int at = -1;
        double below = 0;
        int countBelow = 0;
        for (int bin = 0; bin < size - 1; bin++) {
            below += sums[bin];
            countBelow += counts[bin];
            int countAbove = count - countBelow;
            if (counts[bin] == 0 || countBelow < leaf || countAbove < leaf) {
                continue;
            }
            double above = sum - below;
            double explained = below * below / countBelow + above * above / countAbove;
            if (explained > best) {
                best = explained;
                at = bin;
            }
        }
        return at < 0 ? null : new Split(column, at, best - least);
    }

    private int partition(int from, int to, Split split) {
        int low = from;
        int high = to - 1;
        while (low <= high) {
            if (bins.code(split.column(), rows[low]) <= split.bin()) {
                low++;
            } else {
                int held = rows[low];
                rows[low] = rows[high];
                rows[high] = held;
                high--;
            }
        }
        return low;
    }
}
