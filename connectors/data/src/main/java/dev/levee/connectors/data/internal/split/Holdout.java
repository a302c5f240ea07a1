package dev.levee.connectors.data.internal.split;

import dev.levee.connectors.data.DatasetOption;
import dev.levee.connectors.data.DatasetUri;
import dev.levee.connectors.data.Datasets.Split;

import java.util.Arrays;
import java.util.List;

/**
 * How data that comes in one piece is split: a seeded shuffle, of which the first {@code
 * ?holdout=0.2} (rounded, at least one sample and not all) is the test split and the rest the
 * training split, each in its original order. {@code ?seed=0} chooses the shuffle.
 */
public final class Holdout {
    public static final List<DatasetOption> OPTIONS =
            List.of(
                    new DatasetOption(
                            "holdout",
                            "above 0 and below 1",
                            "0.2",
                            "share of the samples held out as test split, where that has no"
                                    + " files of its own"),
                    new DatasetOption("seed", "a whole number", "0", "chooses what is held out"));

    private Holdout() {}

    /** Requires that the options mean something, and that they are not given for nothing. */
    public static void check(DatasetUri uri, boolean needed, String otherwise) {
        uri.fraction("holdout", 0.2);
        uri.seed(0);
        if (!needed && (uri.has("holdout") || uri.has("seed"))) {
            throw new IllegalArgumentException(
                    uri.text() + " has " + otherwise + ", so there is nothing to hold out");
        }
    }

    /** The samples of one split out of {@code size}, ascending. */
    public static int[] samples(DatasetUri uri, Split split, int size) {
        double share = uri.fraction("holdout", 0.2);
        if (size < 2) {
            throw new IllegalArgumentException(
                    uri.text() + " has " + size + " samples, too few to hold any out for testing");
        }
        int[] order = Deal.indexes(size);
        new Draws(uri.seed(0)).shuffle(order);
        int test = (int) Math.max(1, Math.min(size - 1L, Math.round(share * size)));
        int[] samples =
                split == Split.TEST
                        ? Arrays.copyOf(order, test)
                        : Arrays.copyOfRange(order, test, size);
        Arrays.sort(samples);
        return samples;
    }
}
