package dev.levee.connectors.data.internal.table;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.DatasetUri;
import dev.levee.connectors.data.Datasets.Split;
import dev.levee.connectors.data.LabelledDataset;
import dev.levee.connectors.data.OwnedDataset;
import dev.levee.connectors.data.TargetDataset;
import dev.levee.connectors.data.internal.file.DataFile;
import dev.levee.connectors.data.internal.split.Holdout;
import dev.levee.connectors.data.internal.split.SampleShares;

import org.apache.flink.core.fs.Path;

import java.util.Arrays;
import java.util.List;

/**
 * Opens the splits of a table, from one file with a hold-out or from a training and a test file.
 * The training file determines classes and categories.
 */
public final class Tables {
    /** Reads a file. */
    public interface Reader {
        /**
         * Reads a file's table.
         *
         * @param train the training file's table, if this is the test file; otherwise null
         */
        Table read(Path path, Table train);
    }

    private Tables() {}

    public static Dataset open(DatasetUri uri, Split split, Reader reader) {
        TableOptions.missing(uri);
        TableOptions.standard(uri);
        Holdout.check(uri, !uri.has("test"), "a test file");
        Table train = reader.read(DataFile.path(uri.path()), null);
        return uri.has("test")
                ? separate(uri, split, train, reader)
                : heldOut(uri, split, null, train);
    }

    private static Dataset separate(DatasetUri uri, Split split, Table train, Reader reader) {
        TableFeatures features =
                new TableFeatures(uri, train, SampleShares.indexes(train.labels().length));
        Table table = split == Split.TRAIN ? train : reader.read(Holdout.testFile(uri), train);
        return dataset(uri, table, SampleShares.indexes(table.labels().length), features, null);
    }

    public static Dataset heldOut(DatasetUri uri, Split split, int[] shape, Table all) {
        int size = all.labels().length;
        TableFeatures features =
                new TableFeatures(uri, all, Holdout.samples(uri, Split.TRAIN, size));
        return dataset(uri, all, Holdout.samples(uri, split, size), features, shape);
    }

    /**
     * Some of a table's rows as a data set.
     *
     * @param shape the shape of a sample; null if it is only a number of features
     */
    public static Dataset dataset(
            DatasetUri uri, Table table, int[] samples, TableFeatures features, int[] shape) {
        int[] own = shape == null ? new int[] {features.length()} : shape;
        int[] slots = table.columns().targetSlots();
        Dataset rows =
                new TableDataset(
                        Arrays.stream(samples)
                                .mapToObj(i -> table.rows()[i])
                                .toArray(float[][]::new),
                        Arrays.stream(samples).map(i -> table.labels()[i]).toArray(),
                        features,
                        TableOptions.shape(uri, own),
                        classes(uri, table.classes()),
                        table.classes().list());
        Dataset whole =
                slots.length == 0
                        ? rows
                        : new TargetDataset(
                                rows,
                                Arrays.stream(samples)
                                        .mapToObj(i -> at(slots, table.rows()[i]))
                                        .toArray(float[][]::new),
                                table.columns().targetNames());
        int owner = table.columns().ownerSlot();
        return owner < 0
                ? whole
                : new OwnedDataset(
                        whole,
                        Arrays.stream(samples).map(i -> (int) table.rows()[i][owner]).toArray(),
                        table.categories()[table.columns().owner()].size());
    }

    private static float[] at(int[] slots, float[] row) {
        float[] values = new float[slots.length];
        for (int i = 0; i < slots.length; i++) {
            values[i] = row[slots[i]];
        }
        return values;
    }

    /** The number of classes, given the classes that occur; 1 for samples with targets. */
    public static int classes(DatasetUri uri, Names found) {
        if (uri.has("targets")) {
            if (uri.has("classes")) {
                throw new IllegalArgumentException(
                        uri.text() + " has classes and targets, but targets are not classes");
            }
            return 1;
        }
        return Holdout.classes(uri, found.size());
    }

    /** Rows of a table, whose features are computed when they are read. */
    private static final class TableDataset extends LabelledDataset {
        private final float[][] rows;
        private final TableFeatures features;

        TableDataset(
                float[][] rows,
                int[] labels,
                TableFeatures features,
                int[] shape,
                int classes,
                List<String> names) {
            super(labels, shape, classes, names);
            this.rows = rows;
            this.features = features;
        }

        @Override
        public void read(int index, float[] out, int offset) {
            features.write(rows[index], out, offset);
        }
    }
}
