package dev.levee.estimation.internal;

import java.util.Arrays;

/** A binary tree of splits with a value at each node. */
final class Tree {
    private int size;
    private double[] value = new double[16];
    private double[] edge = new double[16];
    private int[] column = new int[16];
    private int[] below = new int[16];
    private int[] above = new int[16];

    /** Adds a leaf and returns its number. */
    int add(double mean) {
        if (size == value.length) {
            value = Arrays.copyOf(value, 2 * size);
            edge = Arrays.copyOf(edge, 2 * size);
            column = Arrays.copyOf(column, 2 * size);
            below = Arrays.copyOf(below, 2 * size);
            above = Arrays.copyOf(above, 2 * size);
        }
        value[size] = mean;
        column[size] = -1;
        return size++;
    }

    /**
     * Turns a leaf into a split: values below the edge go to node {@code lower}, other values to
     * node {@code upper}.
     */
    void split(int node, int by, double at, int lower, int upper) {
        column[node] = by;
        edge[node] = at;
        below[node] = lower;
        above[node] = upper;
    }

    double predict(double[] row) {
        int node = 0;
        while (column[node] >= 0) {
            node = row[column[node]] < edge[node] ? below[node] : above[node];
        }
        return value[node];
    }
}
