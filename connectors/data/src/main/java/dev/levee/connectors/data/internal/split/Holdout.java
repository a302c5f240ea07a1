package dev.levee.connectors.data.internal.split;

import dev.levee.connectors.data.DatasetOption;
import dev.levee.connectors.data.DatasetUri;
import dev.levee.connectors.data.Datasets.Split;
import dev.levee.connectors.data.internal.file.DataFile;

import org.apache.flink.core.fs.Path;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Splits data without test files. The first {@code ?holdout=0.2} of a seeded shuffle (rounded, at
 * least one sample and not all) is the test split, the rest is the training split. Both keep the
 * original order. {@code ?seed=0} sets the seed.
 */
public final class Holdout {
    private static final List<DatasetOption> OPTIONS =
            List.of(
                    new DatasetOption(
                            "holdout",
                            "above 0 and below 1",
                            "0.2",
                            "share of the samples held out as the test split, if there are "
                                    + "no test files"),
                    new DatasetOption("seed", "a whole number", "0", "seed of the hold-out"));

    public static final DatasetOption TEST_FILE =
            new DatasetOption(
                    "test",
                    "a file",
                    "samples held out of FILE",
                    "the test split, with its full path or next to FILE");

    public static final DatasetOption CLASSES =
            new DatasetOption(
                    "classes",
                    "a number",
                    "those that occur in FILE",
                    "number of classes, if more than occur; labels that are all from 0 to this "
                            + "number − 1 then keep their numbers");

    private Holdout() {}

    /** A format's own options, plus the options of the hold-out. */
    public static List<DatasetOption> options(DatasetOption... own) {
        return Stream.concat(Stream.of(own), OPTIONS.stream()).toList();
    }

    /** Requires that the options are valid and have an effect. */
    public static void check(DatasetUri uri, boolean needed, String otherwise) {
        uri.fraction("holdout", 0.2);
        uri.seed(0);
        if (!needed && (uri.has("holdout") || uri.has("seed"))) {
            throw new IllegalArgumentException(
                    uri.text() + " has " + otherwise + ", so nothing can be held out");
        }
    }

    /** The samples of one split out of {@code size}, ascending. */
    public static int[] samples(DatasetUri uri, Split split, int size) {
        double share = uri.fraction("holdout", 0.2);
        if (size < 2) {
            throw new IllegalArgumentException(
                    uri.text() + " has " + size + " samples, too few to hold out any for testing");
        }
        int[] order = SampleShares.indexes(size);
        new Draws(uri.seed(0)).shuffle(order);
        int test = (int) Math.max(1, Math.min(size - 1L, Math.round(share * size)));
        int[] samples =
                split == Split.TEST
                        ? Arrays.copyOf(order, test)
                        : Arrays.copyOfRange(order, test, size);
        Arrays.sort(samples);
        return samples;
    }

    /** The file of the test split, named by {@code ?test=FILE}. */
    public static Path testFile(DatasetUri uri) {
        String test = uri.options().get("test");
        return DataFile.isFull(test)
                ? DataFile.path(test)
                : new Path(DataFile.path(uri.path()).getParent(), test);
    }

    /**
     * The number of classes, which {@code ?classes=K} may raise.
     *
     * @param found number of different labels that occur
     */
    public static int classes(DatasetUri uri, int found) {
        int given = givenClasses(uri);
        if (given > 0 && found > given) {
            throw new IllegalArgumentException(
                    uri.text() + " has " + found + " different labels, not " + given);
        }
        return Math.max(found, given);
    }

    /** The number of classes in {@code ?classes=K}; 0 if it is not given. */
    public static int givenClasses(DatasetUri uri) {
        return uri.whole("classes", 0, 1, Integer.MAX_VALUE);
    }
}
