package dev.levee.connectors.data;

import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.Collection;
import java.util.List;

/** Opens data sets by URI. */
public final class Datasets {
    /** Which part of a data set. */
    public enum Split {
        TRAIN,
        TEST
    }

    private static final OpenDatasets<Key> OPEN = new OpenDatasets<>();

    private Datasets() {}

    /**
     * Opens a data set, {@code FORMAT:PATH?OPTION=VALUE&OPTION=VALUE}, where PATH is local or on
     * any file system that Flink supports. {@link #formats} lists the formats; see
     * docs/reference/datasets.md.
     *
     * <p>All options are optional, and all files may be gzip. Each {@link DatasetFormat} that is
     * not part of Levee adds its own. The same URI and split are read once per process and shared
     * as long as they are used or memory allows. Any format takes {@code validation=SHARE}, which
     * holds a share of the training split out for {@link #validation}.
     *
     * @throws IllegalArgumentException if the URI is invalid or the data cannot be read; one
     *     sentence
     */
    public static Dataset open(String uri, Split split) {
        // An inline set is quickly read again from an address that its user holds anyway.
        return uri.startsWith(InlineRows.SCHEME)
                ? OPEN.get(new Key(uri, Part.TRAIN), () -> InlineRows.open(uri), WeakReference::new)
                : OPEN.get(
                        new Key(uri, split == Split.TRAIN ? Part.TRAIN : Part.TEST),
                        () -> read(uri, split),
                        SoftReference::new);
    }

    /**
     * Opens the samples that a data set holds out of its training split by {@code
     * validation=SHARE}.
     *
     * @return null if it holds none out
     * @throws IllegalArgumentException as {@link #open}
     */
    public static Dataset validation(String uri) {
        if (uri.startsWith(InlineRows.SCHEME)) {
            return null;
        }
        DatasetUri address = DatasetUri.parse(uri);
        return address.has(Validation.OPTION)
                ? OPEN.get(
                        new Key(uri, Part.VALIDATION),
                        () -> Validation.heldOut(address, undivided(address, Split.TRAIN)),
                        SoftReference::new)
                : null;
    }

    /**
     * The address of a small data set that travels in the address itself, to every task that gets
     * it; both splits are the same samples.
     *
     * @param features n samples of d coordinates
     * @param labels class of each, from 0
     * @param classes number of classes
     * @throws IllegalArgumentException if there are none, lengths differ, or they take more than 16
     *     MiB
     */
    public static String inline(float[][] features, int[] labels, int classes) {
        return InlineRows.address(features, labels, classes);
    }

    /**
     * As {@link #inline(float[][], int[], int)}, of samples with targets.
     *
     * @param targets k numbers of each sample, at least one
     */
    public static String inline(float[][] features, float[][] targets) {
        return InlineRows.address(features, targets);
    }

    /**
     * Reads a table of numbers, of a format in {@link #tables}. The result is not cached.
     *
     * @throws IllegalArgumentException if the URI is invalid or not a table; one sentence
     */
    public static NumberTable table(String uri) {
        DatasetUri address = DatasetUri.parse(uri);
        return providers().get(address.format(), uri, DatasetFormat::form).table(address);
    }

    /** The formats by name, both Levee's own and others. */
    public static Collection<DatasetFormat> formats() {
        return providers().all();
    }

    /** The forms of the formats whose files are tables. */
    public static List<String> tables() {
        return formats().stream()
                .filter(DatasetFormat::holdsTable)
                .map(DatasetFormat::form)
                .toList();
    }

    /** A suggestion for an address without a colon. */
    static String withFormat(String text) {
        return formats().stream().anyMatch(format -> format.name().equals(text))
                ? text + ":"
                : "idx:" + text;
    }

    private static Providers<DatasetFormat> providers() {
        return Providers.of(DatasetFormat.class, "data set", DatasetFormat::name, List.of());
    }

    private static Dataset read(String address, Split split) {
        DatasetUri uri = DatasetUri.parse(address);
        if (!uri.has(Validation.OPTION)) {
            return providers().get(uri.format(), address, DatasetFormat::form).open(uri, split);
        }
        Dataset all = undivided(uri, split);
        return split == Split.TRAIN ? Validation.rest(uri, all) : all;
    }

    /** A split as its format knows it. */
    private static Dataset undivided(DatasetUri uri, Split split) {
        return open(uri.without(Validation.OPTION).text(), split);
    }

    private enum Part {
        TRAIN,
        TEST,
        VALIDATION
    }

    private record Key(String uri, Part part) {}
}
