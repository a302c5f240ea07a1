package dev.levee.connectors.data.internal.split;

import java.util.Arrays;

/**
 * Functions for all partitions: they check labels, shuffle samples, and cut samples into shares.
 */
public final class SampleShares {
    private SampleShares() {}

    /** Requires labels within their classes and a sample for every worker. */
    static void check(int[] labels, int classes, int workers) {
        if (workers < 1) {
            throw new IllegalArgumentException("there must be at least one worker, got " + workers);
        }
        if (labels.length < workers) {
            throw new IllegalArgumentException(
                    "%s samples cannot be distributed to %s workers: each needs at least one"
                            .formatted(labels.length, workers));
        }
        for (int i = 0; i < labels.length; i++) {
            if (labels[i] < 0 || labels[i] >= classes) {
                throw new IllegalArgumentException(
                        "sample %s has the label %s, which is not among the %s classes"
                                .formatted(i, labels[i], classes));
            }
        }
    }

    /**
     * The samples in random order, after {@link #check}.
     *
     * @param draws the draws of the partition
     */
    static int[] shuffled(int[] labels, int classes, int workers, Draws draws) {
        check(labels, classes, workers);
        int[] order = indexes(labels.length);
        draws.shuffle(order);
        return order;
    }

    /** The array of 0 to size − 1. */
    public static int[] indexes(int size) {
        int[] indexes = new int[size];
        Arrays.setAll(indexes, i -> i);
        return indexes;
    }

    /** The samples ordered by label; the order within a class is kept. */
    static int[] byLabel(int[] samples, int[] labels, int classes) {
        int[] starts = new int[classes + 1];
        for (int sample : samples) {
            starts[labels[sample] + 1]++;
        }
        Arrays.parallelPrefix(starts, Integer::sum);
        int[] sorted = new int[samples.length];
        for (int sample : samples) {
            sorted[starts[labels[sample]]++] = sample;
        }
        return sorted;
    }

    /**
     * Contiguous shares whose sizes differ by at most one. The larger shares go to worker {@code
     * first} and the workers after it, wrapping around.
     */
    static int[][] equally(int[] samples, int workers, int first) {
        int[][] shares = new int[workers][];
        int start = 0;
        for (int worker = 0; worker < workers; worker++) {
            boolean larger = Math.floorMod(worker - first, workers) < samples.length % workers;
            int size = samples.length / workers + (larger ? 1 : 0);
            shares[worker] = Arrays.copyOfRange(samples, start, start + size);
            start += size;
        }
        return shares;
    }
}
