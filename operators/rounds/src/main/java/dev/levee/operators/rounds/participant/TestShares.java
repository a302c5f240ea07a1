package dev.levee.operators.rounds.participant;

import dev.levee.connectors.data.Dataset;
import dev.levee.gar.Draws;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Draws parts of a test set that resemble participants' shares of the training set: each class has
 * the share's proportion, scaled to the size of the test set. Parts follow from a seed and may
 * overlap.
 */
final class TestShares {
    private static final long STREAM = 0x13D8B7A4E65F902CL;

    private TestShares() {}

    /**
     * The samples of each part.
     *
     * @param data the training set
     * @param shares samples of each participant in the training set
     * @param test the test set
     */
    static int[][] of(Dataset data, int[][] shares, Dataset test, long seed) {
        int classes = Math.max(data.classes(), test.classes());
        int[][] byClass = new int[classes][];
        Arrays.setAll(
                byClass,
                label ->
                        IntStream.range(0, test.size())
                                .filter(i -> test.label(i) == label)
                                .toArray());
        double scale = (double) test.size() / data.size();
        int[][] parts = new int[shares.length][];
        for (int w = 0; w < shares.length; w++) {
            long[] counts = new long[classes];
            for (int sample : shares[w]) {
                counts[data.label(sample)]++;
            }
            long key = Draws.key(seed, STREAM, w);
            parts[w] =
                    IntStream.range(0, classes)
                            .filter(label -> counts[label] > 0)
                            .flatMap(
                                    label ->
                                            drawn(
                                                    byClass[label],
                                                    Math.max(1, Math.round(scale * counts[label])),
                                                    Draws.uniform(key, label)))
                            .toArray();
        }
        return parts;
    }

    /** A number of consecutive samples from a position on; all if there are fewer. */
    private static IntStream drawn(int[] samples, long count, double place) {
        int start = (int) (place * samples.length);
        return IntStream.range(0, (int) Math.min(count, samples.length))
                .map(i -> samples[(start + i) % samples.length]);
    }
}
