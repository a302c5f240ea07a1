package dev.levee.connectors.data.internal.text;

import dev.levee.connectors.data.ArrayDataset;
import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.DatasetFormat;
import dev.levee.connectors.data.DatasetOption;
import dev.levee.connectors.data.DatasetUri;
import dev.levee.connectors.data.Datasets.Split;
import dev.levee.connectors.data.OwnedDataset;
import dev.levee.connectors.data.internal.file.DataFile;
import dev.levee.connectors.data.internal.split.Holdout;
import dev.levee.connectors.data.internal.split.SampleShares;
import dev.levee.connectors.data.internal.table.TableOptions;

import org.apache.flink.core.fs.Path;

import java.util.Arrays;
import java.util.List;

/**
 * {@code leaf:DIR}: the JSON files of the LEAF benchmark (Caldas et al. 2018, <a
 * href="https://github.com/TalwalkarLab/leaf">github.com/TalwalkarLab/leaf</a>), which list samples
 * by user: {@code {"user_data": {"u0": {"x": [[…], …], "y": […]}, …}, …}}.
 */
public final class LeafFiles implements DatasetFormat {
    private static final String ENDING = ".json";
    private static final String TRAIN = "train";
    private static final String TEST = "test";

    private static final String CHARACTERS = "characters";
    private static final String WORDS = "words";
    private static final DatasetOption TEXT =
            new DatasetOption(
                    "text",
                    CHARACTERS + " or " + WORDS,
                    "none",
                    "samples are text: strings as Shakespeare's, or sequences of words as Reddit's");
    private static final DatasetOption VOCABULARY =
            new DatasetOption(
                    "vocabulary",
                    "3 to 65536",
                    "10000",
                    "number of words that have a code of their own: the most frequent ones of the training split");
    private static final int MOST_WORDS = 1 << 16;

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
        return Holdout.options(TEXT, VOCABULARY, TableOptions.SHAPE, Holdout.CLASSES);
    }

    /** Reads all files of a split into memory, four bytes per value. */
    @Override
    public Dataset open(DatasetUri uri, Split split) {
        uri.check(this);
        Path root = DataFile.path(uri.path());
        Path folder = new Path(root, TRAIN);
        boolean apart = DataFile.exists(folder);
        Holdout.check(uri, !apart, "a folder train");
        String text = uri.has(TEXT.name()) ? uri.word(TEXT.name(), "", CHARACTERS, WORDS) : "";
        Vocabulary vocabulary = vocabulary(uri, text);
        int classes = Holdout.givenClasses(uri);
        LeafSamples train = read(apart ? folder : root, text, vocabulary, classes, null);
        if (split == Split.TEST && apart) {
            LeafSamples test = read(new Path(root, TEST), text, vocabulary, classes, train);
            return dataset(uri, test, SampleShares.indexes(test.size()));
        }
        int[] chosen =
                apart
                        ? SampleShares.indexes(train.size())
                        : Holdout.samples(uri, split, train.size());
        return dataset(uri, train, chosen);
    }

    private static Dataset dataset(DatasetUri uri, LeafSamples all, int[] chosen) {
        return new OwnedDataset(
                new ArrayDataset(
                        Arrays.stream(chosen).mapToObj(all::row).toArray(float[][]::new),
                        Arrays.stream(chosen).map(all::label).toArray(),
                        TableOptions.shape(uri, new int[] {all.features()}),
                        Holdout.classes(uri, all.names().size()),
                        all.names()),
                Arrays.stream(chosen).map(all::owner).toArray(),
                all.owners());
    }

    private static Vocabulary vocabulary(DatasetUri uri, String text) {
        int words = uri.whole(VOCABULARY.name(), 10_000, 3, MOST_WORDS);
        if (uri.has(VOCABULARY.name()) && !text.equals(WORDS)) {
            throw new IllegalArgumentException(
                    uri.text() + " has a vocabulary, but not text=" + WORDS);
        }
        return switch (text) {
            case CHARACTERS -> Vocabulary.letters();
            case WORDS -> Vocabulary.words(words);
            default -> null;
        };
    }

    private static LeafSamples read(
            Path folder, String text, Vocabulary vocabulary, int classes, LeafSamples train) {
        LeafSamples samples = new LeafSamples(folder, train, vocabulary);
        for (Path path : DataFile.list(folder, ENDING)) {
            try (DataFile file = DataFile.open(path)) {
                reader(text, file, samples).read();
            }
        }
        return samples.end(classes);
    }

    private static LeafReader reader(String text, DataFile file, LeafSamples samples) {
        return switch (text) {
            case CHARACTERS -> new LeafCharacters(file, samples);
            case WORDS -> new LeafWords(file, samples);
            default -> new LeafNumbers(file, samples);
        };
    }
}
