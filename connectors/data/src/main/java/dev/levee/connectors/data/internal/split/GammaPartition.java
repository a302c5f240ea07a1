package dev.levee.connectors.data.internal.split;

import dev.levee.connectors.data.Partition;

import java.util.Arrays;

/**
 * γ-similarity: a share γ of the samples is dealt at random in equal shares. The other samples are
 * sorted by label and dealt in contiguous shares. γ = 1 is {@code iid}, γ = 0 is {@code by-class}.
 * Every sample is dealt once.
 *
 * <p>Source: Karimireddy et al., SCAFFOLD (ICML 2020), section 7.1 (s % similarity), after Hsu et
 * al. (2019).
 *
 * @param gamma the share γ in [0, 1] that is dealt at random
 */
record GammaPartition(double gamma) implements Partition {
    public GammaPartition {
        if (!(gamma >= 0 && gamma <= 1)) {
            throw new IllegalArgumentException(
                    "gamma(γ) needs 0 ≤ γ ≤ 1, got " + Partitions.name("gamma", gamma));
        }
    }

    @Override
    public String name() {
        return Partitions.name("gamma", gamma);
    }

    @Override
    public boolean byClasses() {
        return true;
    }

    @Override
    public int[][] deal(int[] labels, int classes, int workers, long seed) {
        int[] order = SampleShares.shuffled(labels, classes, workers, new Draws(seed));
        int mixed = (int) Math.round(gamma * labels.length);
        int[][] alike = SampleShares.equally(Arrays.copyOf(order, mixed), workers, 0);
        int[] rest = Arrays.copyOfRange(order, mixed, order.length);
        // Workers with smaller random shares get the larger shares of the sorted samples.
        int[][] apart =
                SampleShares.equally(
                        SampleShares.byLabel(rest, labels, classes), workers, mixed % workers);
        int[][] shares = new int[workers][];
        for (int worker = 0; worker < workers; worker++) {
            int[] first = alike[worker];
            int[] second = apart[worker];
            shares[worker] = Arrays.copyOf(first, first.length + second.length);
            System.arraycopy(second, 0, shares[worker], first.length, second.length);
        }
        return shares;
    }
}
