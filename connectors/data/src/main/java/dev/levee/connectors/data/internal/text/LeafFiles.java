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
import dev.levee.connectors.data.internal.split.TestFile;
import dev.levee.connectors.data.internal.table.TableOptions;

import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.Path;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * {@code leaf:DIR}: the JSON files of the benchmark LEAF (Caldas et al. 2018, <a
 * href="https://github.com/TalwalkarLab/leaf">github.com/TalwalkarLab/leaf</a>), whose samples say
 * which user they come from: {@code {"user_data": {"u0": {"x": [[…], …], "y": […]}, …}, …}}.
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
        return Stream.of(List.of(TableOptions.SHAPE, TestFile.CLASSES), Holdout.OPTIONS)
                .flatMap(List::stream)
                .toList();
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
            return test(uri, read(new Path(root, TEST), train), train);
        }
        int[] chosen =
                apart ? Deal.indexes(train.size()) : Holdout.samples(uri, split, train.size());
        return dataset(uri, train, chosen, train.names().size());
    }

    private static Dataset test(DatasetUri uri, LeafSamples test, LeafSamples train) {
        return dataset(uri, test, Deal.indexes(test.size()), train.names().size());
    }

    private static Dataset dataset(DatasetUri uri, LeafSamples all, int[] chosen, int found) {
        int classes = uri.whole("classes", found, 1, Integer.MAX_VALUE);
        if (found > classes) {
            throw new IllegalArgumentException(
                    uri.text() + " has " + found + " different labels, not " + classes);
        }
        return new OwnedDataset(
                new ArrayDataset(
                        Arrays.stream(chosen).mapToObj(all::row).toArray(float[][]::new),
                        Arrays.stream(chosen).map(all::label).toArray(),
                        TableOptions.shape(uri, new int[] {all.features()}),
                        classes,
                        all.names().list()),
                Arrays.stream(chosen).map(all::owner).toArray(),
                all.owners());
    }

    private static LeafSamples read(Path folder, LeafSamples train) {
        LeafSamples samples = new LeafSamples(folder, train);
        for (Path path : files(folder)) {
            try (DataFile file = DataFile.open(path)) {
                new LeafReader(file, samples).read();
            }
        }
        return samples.end();
    }

    private static List<Path> files(Path folder) {
        List<Path> files = new ArrayList<>();
        try {
            FileStatus[] found = folder.getFileSystem().listStatus(folder);
            if (found == null) {
                throw new FileNotFoundException();
            }
            for (FileStatus status : found) {
                if (!status.isDir() && status.getPath().getName().endsWith(ENDING)) {
                    files.add(status.getPath());
                }
            }
        } catch (IOException e) {
            throw DataFile.unreadable(folder, e);
        }
        if (files.isEmpty()) {
            throw new IllegalArgumentException(folder + " has no file *" + ENDING);
        }
        files.sort(Comparator.comparing(Path::getName));
        return files;
    }
}
