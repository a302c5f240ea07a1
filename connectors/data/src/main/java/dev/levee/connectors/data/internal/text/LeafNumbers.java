package dev.levee.connectors.data.internal.text;

import com.fasterxml.jackson.core.JsonToken;

import dev.levee.connectors.data.internal.file.DataFile;
import dev.levee.connectors.data.internal.table.Numbers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads LEAF data whose samples are (nested) lists of numbers, and whose labels are names or whole
 * numbers.
 */
final class LeafNumbers extends LeafReader {
    /** Initial capacity of a sample, whose length is not known in advance. */
    private static final int START = 16;

    private final List<float[]> rows = new ArrayList<>();
    private final List<String> labels = new ArrayList<>();

    LeafNumbers(DataFile file, LeafSamples samples) {
        super(file, samples);
    }

    @Override
    protected void addUser(String user) {
        requireEqual(user, rows.size(), labels.size());
        for (int i = 0; i < rows.size(); i++) {
            String wrong = samples.add(user, rows.get(i), labels.get(i));
            if (wrong != null) {
                throw wrongSample(user, i + 1, wrong);
            }
        }
        rows.clear();
        labels.clear();
    }

    @Override
    protected void readSamples(String user) throws IOException {
        require(JsonToken.START_ARRAY, "a list x of user " + user);
        while (in.nextToken() != JsonToken.END_ARRAY) {
            require(JsonToken.START_ARRAY, "a list of numbers for each sample of user " + user);
            rows.add(row(user));
        }
    }

    /** A sample's numbers; nested lists are flattened. */
    private float[] row(String user) throws IOException {
        float[] row = new float[START];
        int size = 0;
        int depth = 1;
        while (depth > 0) {
            JsonToken token = in.nextToken();
            if (token == JsonToken.START_ARRAY) {
                depth++;
            } else if (token == JsonToken.END_ARRAY) {
                depth--;
            } else {
                if (size == row.length) {
                    samples.claim(row.length);
                    row = Arrays.copyOf(row, 2 * size);
                }
                row[size++] = number(user, token);
            }
        }
        samples.claim(START + size - row.length);
        return Arrays.copyOf(row, size);
    }

    private float number(String user, JsonToken token) throws IOException {
        if (token == null || !token.isNumeric()) {
            throw wrong(
                    "numbers for each sample of user "
                            + user
                            + " (for text, give ?text=characters or ?text=words)");
        }
        float value = (float) in.getDoubleValue();
        if (Float.isInfinite(value)) {
            throw has(in.getText() + ", which is not finite as a float");
        }
        return value;
    }

    @Override
    protected void readLabels(String user) throws IOException {
        require(JsonToken.START_ARRAY, "a list y of user " + user);
        for (JsonToken token = in.nextToken();
                token != JsonToken.END_ARRAY;
                token = in.nextToken()) {
            if (token == JsonToken.VALUE_STRING) {
                labels.add(in.getText());
            } else if (token != null && token.isNumeric() && Numbers.isWhole(in.getDoubleValue())) {
                labels.add(Numbers.shortest(in.getDoubleValue()));
            } else {
                throw wrong("labels of user " + user + " that are names or whole numbers");
            }
        }
    }
}
