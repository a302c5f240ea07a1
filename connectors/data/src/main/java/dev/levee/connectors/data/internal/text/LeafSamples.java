package dev.levee.connectors.data.internal.text;

import dev.levee.connectors.data.internal.file.Memory;
import dev.levee.connectors.data.internal.table.Names;

import org.apache.flink.core.fs.Path;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Samples by user while files are read; labels of a test split must occur in the training split.
 */
final class LeafSamples {
    /** Header and padding of a row's array, references to it, its label and its owner. */
    private static final int BYTES_BESIDE_A_ROW = 40;

    private final Path folder;
    private final LeafSamples train;
    private final List<float[]> rows = new ArrayList<>();
    private final List<Integer> codes = new ArrayList<>();
    private final List<Integer> owners = new ArrayList<>();
    private final Map<String, Integer> users = new LinkedHashMap<>();
    private final Names found = new Names();
    private Names names;
    private int[] labels;
    private int features = -1;
    private long bytes;

    /**
     * @param folder for messages
     * @param train null if this is the training split
     */
    LeafSamples(Path folder, LeafSamples train) {
        this.folder = folder;
        this.train = train;
        this.features = train == null ? -1 : train.features;
    }

    /** Takes note of the memory that some values take, before there is a sample of them. */
    void claim(long values) {
        bytes += Float.BYTES * values;
        Memory.check(folder.toString(), bytes);
    }

    /**
     * Adds a sample.
     *
     * @return an error, or null
     */
    String add(String user, float[] row, String label) {
        if (features < 0) {
            features = row.length;
        }
        if (row.length != features || row.length == 0) {
            return "has %d features, but the first sample has %d".formatted(row.length, features);
        }
        int code = train == null ? found.add(label) : train.names.find(label);
        if (code < 0) {
            return train == null
                    ? "has yet another label, after " + found.size() + " different ones"
                    : "has the label " + label + ", which the training files lack";
        }
        bytes += BYTES_BESIDE_A_ROW;
        rows.add(row);
        codes.add(code);
        owners.add(users.computeIfAbsent(user, name -> users.size()));
        return null;
    }

    /** Numbers the labels, when all samples are there. */
    LeafSamples end() {
        if (rows.isEmpty()) {
            throw new IllegalArgumentException(folder + " has no samples");
        }
        labels = codes.stream().mapToInt(Integer::intValue).toArray();
        names = train == null ? found.numbered(labels) : train.names;
        return this;
    }

    int size() {
        return rows.size();
    }

    int features() {
        return features;
    }

    int owners() {
        return users.size();
    }

    /** The labels that there are, by their numbers. */
    Names names() {
        return names;
    }

    float[] row(int sample) {
        return rows.get(sample);
    }

    int label(int sample) {
        return labels[sample];
    }

    int owner(int sample) {
        return owners.get(sample);
    }
}
