package dev.levee.connectors.data;

import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.Collection;
import java.util.List;

/** Opens data sets by URI. */
public final class Datasets {
    /** A part of a data set. */
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
     * <p>All options are optional, and all files may be gzip. A {@link DatasetFormat} outside Levee
     * adds its own format. The same URI and split are read once per process and shared as long as
     * they are used or memory allows. Every format accepts {@code validation=SHARE}, which holds
     * out a share of the training split for {@link #validation}.
     *
     * @throws IllegalArgumentException if the URI is invalid or the data cannot be read; one
     *     sentence
     */
    public static Dataset open(String uri, Split split) {
        // Reading an inline data set again is quick, and its user keeps the address anyway.
        return uri.startsWith(InlineRows.SCHEME)
                ? OPEN.get(new Key(uri, Part.TRAIN), () -> InlineRows.open(uri), WeakReference::new)
                : open(DatasetUri.parse(uri), split);
    }

    private static Dataset open(DatasetUri uri, Split split) {
        return OPEN.get(
                new Key(uri.text(), split == Split.TRAIN ? Part.TRAIN : Part.TEST),
                () -> read(uri, split),
                SoftReference::new);
    }

    /**
     * Opens the samples that {@code validation=SHARE} holds out of the training split.
     *
     * @return null if the address lacks that option
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
     * Writes a small data set into its address, so that every task that gets the address has the
     * data. Both splits have the same samples.
     *
     * @param features n samples of d coordinates
     * @param labels class of each sample, from 0
     * @param classes number of classes
     * @throws IllegalArgumentException if there are no samples, lengths differ, or the samples take
     *     more than 16 MiB
     */
    public static String inline(float[][] features, int[] labels, int classes) {
        return InlineRows.address(features, labels, classes);
    }

    /**
     * As {@link #inline(float[][], int[], int)}, for samples with targets.
     *
     * @param targets k ≥ 1 numbers per sample
     */
    public static String inline(float[][] features, float[][] targets) {
        return InlineRows.address(features, targets);
    }

    /**
     * Reads a table of numbers in one of the formats of {@link #tables}. The result is not cached.
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

    private static Dataset read(DatasetUri uri, Split split) {
        if (!uri.has(Validation.OPTION)) {
            return providers().get(uri.format(), uri.text(), DatasetFormat::form).open(uri, split);
        }
        Dataset all = undivided(uri, split);
        return split == Split.TRAIN ? Validation.rest(uri, all) : all;
    }

    /** A split as its format returns it, before samples are held out for validation. */
    private static Dataset undivided(DatasetUri uri, Split split) {
        return open(uri.without(Validation.OPTION), split);
    }

    private enum Part {
        TRAIN,
        TEST,
        VALIDATION
    }

    private record Key(String uri, Part part) {}
}
