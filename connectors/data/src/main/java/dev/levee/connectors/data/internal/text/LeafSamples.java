package dev.levee.connectors.data.internal.text;

import dev.levee.connectors.data.internal.file.Memory;
import dev.levee.connectors.data.internal.table.Names;

import org.apache.flink.core.fs.Path;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects samples by user while files are read. Labels of a test split must occur in the training
 * split.
 */
final class LeafSamples {
    /** Bytes of a row's array header and padding, references to it, its label and its owner. */
    private static final int BYTES_BESIDE_A_ROW = 40;

    /** Bytes of a word besides its characters: object headers, and its entries in a vocabulary. */
    private static final int BYTES_BESIDE_A_WORD = 160;

    private final Path folder;
    private final LeafSamples train;
    private final List<float[]> rows = new ArrayList<>();
    private final List<Integer> codes = new ArrayList<>();
    private final List<Integer> owners = new ArrayList<>();
    private final Map<String, Integer> users = new LinkedHashMap<>();
    private final Names found = new Names();
    private final Vocabulary vocabulary;
    private Names names;
    private int[] labels;
    private int features = -1;
    private long bytes;

    /**
     * @param folder for messages
     * @param train null if this is the training split
     * @param vocabulary the tokens that samples are made of, or null if they are numbers
     */
    LeafSamples(Path folder, LeafSamples train, Vocabulary vocabulary) {
        this.folder = folder;
        this.train = train;
        this.vocabulary = vocabulary;
        this.features = train == null ? -1 : train.features;
    }

    /** Counts the memory of values before they form a sample. */
    void claim(long values) {
        bytes += Float.BYTES * values;
        Memory.check(folder.toString(), bytes);
    }

    /** The number of a token. */
    int token(String token) {
        int before = vocabulary.size();
        int code = vocabulary.code(token);
        if (vocabulary.size() > before) {
            bytes += BYTES_BESIDE_A_WORD + 2L * token.length();
            Memory.check(folder.toString(), bytes);
        }
        return code;
    }

    /**
     * Adds a sample whose label is a name.
     *
     * @return an error, or null
     */
    String add(String user, float[] row, String label) {
        int code = train == null ? found.add(label) : train.names.find(label);
        if (code < 0) {
            return train == null
                    ? "has yet another label, after " + found.size() + " different ones"
                    : "has the label " + label + ", which the training files lack";
        }
        return add(user, row, code);
    }

    /**
     * Adds a sample whose label is a token.
     *
     * @return an error, or null
     */
    String add(String user, float[] row, int code) {
        if (features < 0) {
            features = row.length;
        }
        if (row.length != features || row.length == 0) {
            return "has %d features, but the first sample has %d".formatted(row.length, features);
        }
        bytes += BYTES_BESIDE_A_ROW;
        rows.add(row);
        codes.add(code);
        owners.add(users.computeIfAbsent(user, name -> users.size()));
        return null;
    }

    /**
     * Numbers the labels, after the last sample.
     *
     * @param classes the number of classes; 0 if it is the number of labels that occur
     */
    LeafSamples end(int classes) {
        if (rows.isEmpty()) {
            throw new IllegalArgumentException(folder + " has no samples");
        }
        labels = codes.stream().mapToInt(Integer::intValue).toArray();
        if (vocabulary == null) {
            names = train == null ? found.numbered(labels, classes) : train.names;
        } else {
            vocabulary.close().ifPresent(this::renumber);
        }
        return this;
    }

    private void renumber(int[] now) {
        for (float[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                row[i] = now[(int) row[i]];
            }
        }
        Arrays.setAll(labels, i -> now[labels[i]]);
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

    /** The names of the labels, by number. If labels are tokens, these are all tokens. */
    List<String> names() {
        return vocabulary == null ? names.list() : vocabulary.names();
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
