package dev.levee.connectors.data.internal.npz;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.DatasetFormat;
import dev.levee.connectors.data.DatasetOption;
import dev.levee.connectors.data.DatasetUri;
import dev.levee.connectors.data.Datasets.Split;
import dev.levee.connectors.data.internal.file.DataFile;
import dev.levee.connectors.data.internal.split.Holdout;
import dev.levee.connectors.data.internal.table.TableOptions;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * {@code npz:FILE}: arrays written by {@code numpy.savez} or {@code savez_compressed}. One holds
 * the features, with samples as its first dimension; another holds the labels or targets.
 */
public final class NpzFiles implements DatasetFormat {
    /**
     * The usual names of the arrays: training features and labels, then test features and labels.
     */
    private static final List<List<String>> USUAL =
            List.of(
                    List.of("x_train", "y_train", "x_test", "y_test"),
                    List.of("X_train", "y_train", "X_test", "y_test"),
                    List.of("train_images", "train_labels", "test_images", "test_labels"),
                    List.of("features", "labels", "test_features", "test_labels"),
                    List.of("x", "y", "x_test", "y_test"),
                    List.of("X", "y", "X_test", "y_test"),
                    List.of("images", "labels", "test_images", "test_labels"),
                    List.of("data", "target", "test_data", "test_target"));

    @Override
    public String form() {
        return "npz:FILE";
    }

    @Override
    public String summary() {
        return "NumPy arrays written by numpy.savez: one of features and one of labels";
    }

    @Override
    public List<DatasetOption> options() {
        return Holdout.options(
                new DatasetOption(
                        "features",
                        "an array",
                        "x_train, X_train, train_images, features, x, X, images or data",
                        "the array of features"),
                new DatasetOption(
                        "labels",
                        "an array",
                        "y_train, train_labels, labels, y or target, matching the features",
                        "the array of labels: whole numbers, booleans or text"),
                new DatasetOption(
                        "test-features",
                        "an array",
                        "x_test, X_test, test_images, test_features or test_data",
                        "the test split's features, if FILE has them"),
                new DatasetOption(
                        "test-labels",
                        "an array",
                        "y_test, test_labels or test_target, matching the features",
                        "the test split's labels"),
                new DatasetOption(
                        "targets",
                        "an array",
                        "none",
                        "array of numbers to learn instead of labels, one or several per "
                                + "sample; replaces labels, or stands alone if it has the usual name "
                                + "of labels"),
                new DatasetOption(
                        "test-targets",
                        "an array",
                        "the usual name, matching the features",
                        "the test split's targets"),
                new DatasetOption(
                        "channels",
                        "first or last",
                        "last, if the last dimension is 1, 3 or 4 and the first is not",
                        "which dimension of an image is its channels; images with two "
                                + "dimensions have one channel"),
                new DatasetOption(
                        "scale",
                        "none, byte or standard",
                        "byte for uint8 images, otherwise none",
                        "byte divides by 255; standard subtracts the training mean from each "
                                + "number and divides by the standard deviation"),
                TableOptions.MISSING,
                TableOptions.SHAPE,
                Holdout.CLASSES,
                Holdout.TEST_FILE);
    }

    /**
     * Reads a file into memory: four bytes per value, or one byte for uint8 values that are divided
     * by 255.
     */
    @Override
    public Dataset open(DatasetUri uri, Split split) {
        uri.check(this);
        TableOptions.missing(uri);
        TableOptions.standard(uri, "byte");
        uri.word("channels", "guess", "first", "last");
        try (NpzFile file = NpzFile.open(DataFile.path(uri.path()))) {
            List<String> names = names(uri, file);
            NpzSamples train = NpzSamples.read(uri, file, names.get(0), names.get(1), null);
            boolean test = names.size() == 4;
            Holdout.check(
                    uri,
                    !test && !uri.has("test"),
                    uri.has("test") ? "a test file" : "test arrays");
            if (!test && !uri.has("test")) {
                return train.heldOut(split);
            }
            if (split == Split.TRAIN) {
                return train.dataset(train);
            }
            if (test) {
                return NpzSamples.read(uri, file, names.get(2), names.get(3), train).dataset(train);
            }
            try (NpzFile other = NpzFile.open(Holdout.testFile(uri))) {
                return NpzSamples.read(uri, other, names.get(0), names.get(1), train)
                        .dataset(train);
            }
        } catch (IOException e) {
            throw DataFile.unreadable(DataFile.path(uri.path()), e);
        }
    }

    /**
     * The names of the arrays of features and labels, and those of the test split if the file has
     * one.
     */
    private static List<String> names(DatasetUri uri, NpzFile file) {
        boolean targets = uri.has("targets");
        String answers = targets ? "targets" : "labels";
        if (targets && (uri.has("labels") || uri.has("test-labels"))) {
            throw new IllegalArgumentException(
                    uri.text() + ": a sample has labels or targets, not both");
        }
        if (!targets && uri.has("test-targets")) {
            throw new IllegalArgumentException(
                    uri.text() + ": test-targets is for data with targets");
        }
        boolean usual = targets && !uri.has("features");
        for (String[] pair :
                new String[][] {{"features", answers}, {"test-features", "test-" + answers}}) {
            if (uri.has(pair[0]) != uri.has(pair[1]) && !(usual && pair[0].equals("features"))) {
                throw new IllegalArgumentException(
                        "%s: %s and %s must be given together"
                                .formatted(uri.text(), pair[0], pair[1]));
            }
        }
        if (uri.has("test") && uri.has("test-features")) {
            throw new IllegalArgumentException(
                    uri.text() + ": test and test-features both define the test split");
        }
        String[] train = given(uri, file, "features", answers, 0);
        String[] test =
                uri.has("test") ? null : given(uri, file, "test-features", "test-" + answers, 2);
        if (train == null) {
            throw new IllegalArgumentException(
                    "%s has the arrays %s: select the samples with ?features=ARRAY&%s=ARRAY"
                            .formatted(file, String.join(", ", file.names()), answers));
        }
        return Stream.concat(
                        Arrays.stream(train), test == null ? Stream.empty() : Arrays.stream(test))
                .toList();
    }

    private static String[] given(
            DatasetUri uri, NpzFile file, String features, String labels, int from) {
        if (uri.has(features)) {
            return new String[] {uri.options().get(features), uri.options().get(labels)};
        }
        // If the training arrays are named, the test arrays must be, too.
        if (from > 0 && uri.has("features")) {
            return null;
        }
        for (List<String> usual : USUAL) {
            List<String> pair = usual.subList(from, from + 2);
            if (file.names().containsAll(pair)
                    && uri.options().getOrDefault("targets", usual.get(1)).equals(usual.get(1))
                    && (from == 0 || file.names().containsAll(usual.subList(0, 2)))) {
                return pair.toArray(String[]::new);
            }
        }
        return null;
    }
}
