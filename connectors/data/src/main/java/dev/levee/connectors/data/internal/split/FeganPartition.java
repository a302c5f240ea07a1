package dev.levee.connectors.data.internal.split;

import dev.levee.connectors.data.Partition;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * FeGAN's generator of non-iid data (section 6.5 and equation 6.4 of "System Support for Robust
 * Distributed Learning", EPFL 2022): device i of n, counted from 1, draws its number of classes
 * from 1 to max(1, ⌊max_class·i/n⌋). For each class, it draws its number of samples from 1 to
 * max(1, ⌊min(i², max_samples·i/n)⌋), capped at the number that exist. Devices draw independently,
 * so shares overlap and some samples are unused.
 *
 * @param maxClass maximum classes of the last device, max_class
 * @param maxSamples maximum samples per class of the last device, max_samples
 */
record FeganPartition(int maxClass, int maxSamples) implements Partition {
    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if one is below 1; one sentence
     */
    public FeganPartition {
        if (maxClass < 1 || maxSamples < 1) {
            throw new IllegalArgumentException(
                    "fegan needs max_class and max_samples of at least 1, got %d and %d"
                            .formatted(maxClass, maxSamples));
        }
    }

    @Override
    public String name() {
        return "fegan(max_class=" + maxClass + ",max_samples=" + maxSamples + ")";
    }

    @Override
    public boolean byClasses() {
        return true;
    }

    @Override
    public int[][] deal(int[] labels, int classes, int workers, long seed) {
        SampleShares.check(labels, classes, Math.min(workers, labels.length));
        if (labels.length == 0) {
            throw new IllegalArgumentException("there is no sample to distribute");
        }
        int[][] byClass = new int[classes][];
        Arrays.setAll(
                byClass,
                label ->
                        IntStream.range(0, labels.length)
                                .filter(sample -> labels[sample] == label)
                                .toArray());
        int[][] there =
                Arrays.stream(byClass).filter(samples -> samples.length > 0).toArray(int[][]::new);
        int[][] shares = new int[workers][];
        Arrays.parallelSetAll(
                shares, device -> share(there, device, workers, new Draws(seed, device)));
        return shares;
    }

    private int[] share(int[][] classes, int device, int devices, Draws draws) {
        long i = device + 1L;
        long mostClasses = Math.max(1, maxClass * i / devices);
        long mostSamples = Math.max(1, Math.min(i * i, maxSamples * i / devices));
        int count = 1 + draws.below((int) Math.min(mostClasses, Integer.MAX_VALUE));
        int[] order = SampleShares.indexes(classes.length);
        draws.shuffle(order);
        return Arrays.stream(order, 0, Math.min(count, order.length))
                .flatMap(
                        label -> {
                            int[] samples = classes[label].clone();
                            draws.shuffle(samples);
                            int taken = 1 + draws.below((int) mostSamples);
                            return Arrays.stream(samples, 0, Math.min(taken, samples.length));
                        })
                .toArray();
    }
}
