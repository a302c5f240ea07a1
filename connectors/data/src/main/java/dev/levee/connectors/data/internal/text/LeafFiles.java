package dev.levee.connectors.data.internal.text;

import dev.levee.connectors.data.ArrayDataset;
import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.DatasetFormat;
import dev.levee.connectors.data.DatasetOption;
import dev.levee.connectors.data.DatasetUri;
import dev.levee.connectors.data.Datasets.Split;
import dev.levee.connectors.data.OwnedDataset;
import dev.levee.connectors.data.internal.file.DataFile;
import dev.levee.connectors.data.internal.split.Deal;
import dev.levee.connectors.data.internal.split.Holdout;
import dev.levee.connectors.data.internal.table.TableOptions;

import org.apache.flink.core.fs.Path;

import java.util.Arrays;
import java.util.List;

/**
 * {@code leaf:DIR}: the JSON files of the LEAF benchmark (Caldas et al. 2018, <a
 * href="https://github.com/TalwalkarLab/leaf">github.com/TalwalkarLab/leaf</a>), with samples by
 * user: {@code {"user_data": {"u0": {"x": [[…], …], "y": […]}, …}, …}}.
 */
public final class LeafFiles implements DatasetFormat {
    private static final String ENDING = ".json";
    private static final String TRAIN = "train";
    private static final String TEST = "test";

    @Override
    public String name() {
        return "leaf";
    }

    @Override
    public String form() {
        return "leaf:DIR";
    }

    @Override
    public String summary() {
        return "LEAF's JSON, by user, in DIR/train/*.json and DIR/test/*.json, or in DIR/*.json";
    }

    @Override
    public List<DatasetOption> options() {
        return Holdout.options(TableOptions.SHAPE, Holdout.CLASSES);
    }

    /** Reads all files of a split into memory, four bytes a value. */
    @Override
    public Dataset open(DatasetUri uri, Split split) {
        uri.check(this);
        Path root = DataFile.path(uri.path());
        Path folder = new Path(root, TRAIN);
        boolean apart = DataFile.exists(folder);
        Holdout.check(uri, !apart, "a folder train");
        LeafSamples train = read(apart ? folder : root, null);
        if (split == Split.TEST && apart) {
            LeafSamples test = read(new Path(root, TEST), train);
            return dataset(uri, test, Deal.indexes(test.size()));
        }
        int[] chosen =
                apart ? Deal.indexes(train.size()) : Holdout.samples(uri, split, train.size());
        return dataset(uri, train, chosen);
    }

    private static Dataset dataset(DatasetUri uri, LeafSamples all, int[] chosen) {
        return new OwnedDataset(
                new ArrayDataset(
                        Arrays.stream(chosen).mapToObj(all::row).toArray(float[][]::new),
                        Arrays.stream(chosen).map(all::label).toArray(),
                        TableOptions.shape(uri, new int[] {all.features()}),
                        Holdout.classes(uri, all.names().size()),
                        all.names().list()),
                Arrays.stream(chosen).map(all::owner).toArray(),
                all.owners());
    }

    private static LeafSamples read(Path folder, LeafSamples train) {
        LeafSamples samples = new LeafSamples(folder, train);
        for (Path path : DataFile.list(folder, ENDING)) {
            try (DataFile file = DataFile.open(path)) {
                new LeafReader(file, samples).read();
            }
        }
        return samples.end();
    }
}
