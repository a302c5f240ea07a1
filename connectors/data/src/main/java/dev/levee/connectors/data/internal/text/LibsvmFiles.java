package dev.levee.connectors.data.internal.text;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.DatasetFormat;
import dev.levee.connectors.data.DatasetOption;
import dev.levee.connectors.data.DatasetUri;
import dev.levee.connectors.data.Datasets.Split;
import dev.levee.connectors.data.internal.file.DataFile;
import dev.levee.connectors.data.internal.split.Holdout;
import dev.levee.connectors.data.internal.split.SampleShares;
import dev.levee.connectors.data.internal.table.Names;

import org.apache.flink.core.fs.Path;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * {@code libsvm:FILE}: sparse vectors as text, plain or gzip (Chang and Lin, <a
 * href="https://www.csie.ntu.edu.tw/~cjlin/libsvm/">csie.ntu.edu.tw/~cjlin/libsvm</a>).
 *
 * <p>Labels become 0 to k − 1 in numeric order, so −1 and +1 become 0 and 1. The shape is
 * (features), from the largest index in the training file (at most 16,777,216) or {@code
 * ?features=N}. Indexes start at 1, or at 0 if the training file has a 0. {@code ?classes=K} sets a
 * number of classes larger than the number of labels that occur; labels from 0 to K − 1 then keep
 * their numbers. Values are unchanged. With {@code ?targets=yes}, the number at the start of a line
 * is a target instead of a label.
 *
 * <p>{@code ?test=FILE} names the file of the test split, by its full path or relative to the
 * training file. The training file determines labels and features. Without {@code ?test}, {@code
 * ?holdout=0.2&seed=0} splits the file: the first fifth of a seeded shuffle is the test split.
 */
public final class LibsvmFiles implements DatasetFormat {
    private static final int MOST_FEATURES = 1 << 24;

    @Override
    public String form() {
        return "libsvm:FILE";
    }

    @Override
    public String summary() {
        return "sparse vectors as text, one per line: label index:value index:value …";
    }

    @Override
    public List<DatasetOption> options() {
        return Holdout.options(
                new DatasetOption(
                        "features",
                        "a number",
                        "from the largest index in FILE",
                        "number of features"),
                Holdout.CLASSES,
                Holdout.TEST_FILE,
                new DatasetOption(
                        "targets",
                        "yes or no",
                        "no",
                        "whether the number at the start of a line is a target to learn "
                                + "instead of a class"));
    }

    /** Reads one split into memory, eight bytes per nonzero value. */
    @Override
    public Dataset open(DatasetUri uri, Split split) {
        uri.check(this);
        Holdout.check(uri, !uri.has("test"), "a test file");
        int given = uri.whole("features", 0, 1, Integer.MAX_VALUE - 8);
        SparseSamples train =
                read(DataFile.path(uri.path()), given == 0 ? MOST_FEATURES : given, null);
        int features = given == 0 ? Math.max(1, train.features()) : given;
        boolean targets = uri.word("targets", "no", "yes", "no").equals("yes");
        if (targets && uri.has("classes")) {
            throw new IllegalArgumentException(
                    uri.text() + " has targets=yes, so there are no classes: omit one of the two");
        }
        double[] names = targets ? new double[0] : names(uri, train.distinctLabels());
        int classes = targets ? 1 : Holdout.classes(uri, names.length);
        if (!uri.has("test")) {
            int[] samples = Holdout.samples(uri, split, train.size());
            return dataset(train, samples, targets, names, classes, features);
        }
        if (split == Split.TRAIN) {
            int[] all = SampleShares.indexes(train.size());
            return dataset(train, all, targets, names, classes, features);
        }
        Path path = Holdout.testFile(uri);
        SparseSamples test = read(path, features, train);
        for (double label : targets ? names : test.distinctLabels()) {
            if (Arrays.binarySearch(names, label) < 0) {
                throw new IllegalArgumentException(
                        path + " has the label " + label + ", which " + uri.path() + " lacks");
            }
        }
        int[] all = SampleShares.indexes(test.size());
        return dataset(test, all, targets, names, classes, features);
    }

    /** The label of each class, as {@link Names#numbered} numbers them. */
    private static double[] names(DatasetUri uri, double[] found) {
        double[] whole =
                IntStream.range(0, Math.min(Holdout.givenClasses(uri), Names.MOST))
                        .asDoubleStream()
                        .toArray();
        return Arrays.stream(found).allMatch(label -> Arrays.binarySearch(whole, label) >= 0)
                ? whole
                : found;
    }

    private static Dataset dataset(
            SparseSamples samples,
            int[] chosen,
            boolean targets,
            double[] names,
            int classes,
            int features) {
        return targets
                ? samples.withTargets(chosen, features)
                : samples.dataset(chosen, names, classes, features);
    }

    private static SparseSamples read(Path path, int mostFeatures, SparseSamples train) {
        try (DataFile file = DataFile.open(path)) {
            return LibsvmReader.read(file, mostFeatures, train);
        }
    }
}
