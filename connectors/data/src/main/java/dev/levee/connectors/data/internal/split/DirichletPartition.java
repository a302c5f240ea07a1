package dev.levee.connectors.data.internal.split;

import dev.levee.connectors.data.Partition;

import java.util.Arrays;

/**
 * Label skew: for each class, the workers' shares are drawn from a symmetric Dirichlet(α)
 * distribution. With a small α, a few workers get most of a class; with a large α, shares are
 * nearly equal. Every sample is dealt once. A worker without samples gets one from the worker with
 * the most.
 *
 * <p>Source: Yurochkin et al., Bayesian Nonparametric Federated Learning of Neural Networks (ICML
 * 2019), section 4, for shares per class.
 *
 * @param alpha the concentration α, above 0
 */
record DirichletPartition(double alpha) implements Partition {
    public DirichletPartition {
        if (!(alpha > 0 && alpha < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "dirichlet(α) needs a finite α > 0, got "
                            + Partitions.name("dirichlet", alpha));
        }
    }

    @Override
    public String name() {
        return Partitions.name("dirichlet", alpha);
    }

    @Override
    public boolean byClasses() {
        return true;
    }

    @Override
    public int[][] deal(int[] labels, int classes, int workers, long seed) {
        Draws draws = new Draws(seed);
        int[] order = SampleShares.shuffled(labels, classes, workers, draws);
        int[] sorted = SampleShares.byLabel(order, labels, classes);
        int[] owners = new int[sorted.length];
        int[] sizes = new int[workers];
        int start = 0;
        while (start < sorted.length) {
            int end = start;
            while (end < sorted.length && labels[sorted[end]] == labels[sorted[start]]) {
                end++;
            }
            deal(proportions(workers, draws), start, end, owners, sizes);
            start = end;
        }
        for (int worker = 0; worker < workers; worker++) {
            if (sizes[worker] == 0) {
                feed(worker, owners, sizes);
            }
        }
        return shares(sorted, owners, sizes);
    }

    /** One draw from the Dirichlet distribution: Gamma variates over their sum. */
    private double[] proportions(int workers, Draws draws) {
        double[] parts = new double[workers];
        Arrays.setAll(parts, worker -> draws.logGamma(alpha));
        double most = Arrays.stream(parts).max().orElseThrow();
        double sum = 0;
        for (int worker = 0; worker < workers; worker++) {
            parts[worker] = StrictMath.exp(parts[worker] - most);
            sum += parts[worker];
        }
        for (int worker = 0; worker < workers; worker++) {
            parts[worker] /= sum;
        }
        return parts;
    }

    /** Cuts the samples from {@code start} to {@code end} at the cumulative proportions. */
    private static void deal(double[] parts, int start, int end, int[] owners, int[] sizes) {
        double reached = 0;
        int from = start;
        for (int worker = 0; worker < parts.length; worker++) {
            reached += parts[worker];
            int to = start + (int) Math.min(end - start, Math.round(reached * (end - start)));
            if (worker == parts.length - 1) {
                to = end;
            }
            Arrays.fill(owners, from, to, worker);
            sizes[worker] += to - from;
            from = to;
        }
    }

    private static void feed(int worker, int[] owners, int[] sizes) {
        int richest = 0;
        for (int other = 1; other < sizes.length; other++) {
            if (sizes[other] > sizes[richest]) {
                richest = other;
            }
        }
        int sample = 0;
        while (owners[sample] != richest) {
            sample++;
        }
        owners[sample] = worker;
        sizes[richest]--;
        sizes[worker]++;
    }

    private static int[][] shares(int[] samples, int[] owners, int[] sizes) {
        int[][] shares = new int[sizes.length][];
        Arrays.setAll(shares, worker -> new int[sizes[worker]]);
        int[] filled = new int[sizes.length];
        for (int i = 0; i < samples.length; i++) {
            shares[owners[i]][filled[owners[i]]++] = samples[i];
        }
        return shares;
    }
}
