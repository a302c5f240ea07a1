package dev.levee.connectors.data.internal.table;

import dev.levee.connectors.data.DatasetOption;
import dev.levee.connectors.data.DatasetUri;
import dev.levee.connectors.data.internal.split.Holdout;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The options of all formats of tables: the roles of columns, missing values, and scales. */
public final class TableOptions {
    private static final List<DatasetOption> OF_COLUMNS =
            List.of(
                    new DatasetOption(
                            "label",
                            "a column",
                            "the column named label, otherwise the last",
                            "column of the classes: whole numbers or names, numbered in "
                                    + "their order"),
                    new DatasetOption(
                            "targets",
                            "columns",
                            "none",
                            "columns of numbers to learn instead of classes, for regression "
                                    + "or several labels of 0 and 1"),
                    new DatasetOption(
                            "owner",
                            "a column",
                            "none",
                            "column that identifies the owner of a sample, for the partition "
                                    + "natural; not a feature"),
                    new DatasetOption("skip", "columns", "none", "columns to omit"),
                    new DatasetOption(
                            "categories",
                            "columns",
                            "none",
                            "columns whose values become features: 1 if a sample has the "
                                    + "value, otherwise 0"));

    public static final DatasetOption MISSING =
            new DatasetOption(
                    "missing",
                    "refuse, drop, mean or zero",
                    "refuse",
                    "how to treat missing values: drop omits the sample, mean and zero fill "
                            + "in the training mean or 0, and no category");

    public static final DatasetOption SHAPE =
            new DatasetOption(
                    "shape",
                    "numbers separated by x, such as 1x28x28",
                    "the number of features",
                    "shape of a sample; features are in row-major order");

    private static final String NONE = "none";
    private static final String STANDARD = "standard";

    private static final DatasetOption SCALE =
            new DatasetOption(
                    "scale",
                    "none or standard",
                    NONE,
                    "standard subtracts the training mean from each number and divides by "
                            + "the standard deviation");

    private TableOptions() {}

    /** The options of formats with named columns, plus the format's own. */
    public static List<DatasetOption> with(DatasetOption... own) {
        return Holdout.options(
                Stream.of(
                                OF_COLUMNS,
                                List.of(own),
                                List.of(MISSING, SCALE, SHAPE, Holdout.CLASSES, Holdout.TEST_FILE))
                        .flatMap(List::stream)
                        .toArray(DatasetOption[]::new));
    }

    public static String missing(DatasetUri uri) {
        return uri.word("missing", "refuse", "refuse", "drop", "mean", "zero");
    }

    static boolean fillsMean(DatasetUri uri) {
        return missing(uri).equals("mean");
    }

    public static boolean standard(DatasetUri uri, String... others) {
        String[] words = new String[others.length + 2];
        words[0] = NONE;
        System.arraycopy(others, 0, words, 1, others.length);
        words[words.length - 1] = STANDARD;
        return uri.word("scale", NONE, words).equals(STANDARD);
    }

    /** The requested shape, if its size matches the number of features. */
    public static int[] shape(DatasetUri uri, int[] own) {
        String text = uri.options().get("shape");
        if (text == null) {
            return own;
        }
        int features = Arrays.stream(own).reduce(1, Math::multiplyExact);
        long places = 1;
        int[] shape;
        try {
            shape = Arrays.stream(text.split("x", -1)).mapToInt(Integer::parseInt).toArray();
            for (int extent : shape) {
                places = Math.multiplyExact(places, Math.max(0, extent));
            }
        } catch (NumberFormatException | ArithmeticException e) {
            throw new IllegalArgumentException(
                    uri.text() + ": shape must be numbers separated by x, got " + text, e);
        }
        if (places != features) {
            throw new IllegalArgumentException(
                    "%s: shape %s has %d values, but a sample has %d features"
                            .formatted(uri.text(), text, places, features));
        }
        return shape;
    }
}
