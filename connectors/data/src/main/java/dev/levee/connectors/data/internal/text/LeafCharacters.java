package dev.levee.connectors.data.internal.text;

import com.fasterxml.jackson.core.JsonToken;

import dev.levee.connectors.data.internal.file.DataFile;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads LEAF's Shakespeare data. Each sample is a string, and its label is the character that
 * follows.
 */
final class LeafCharacters extends LeafReader {
    private final List<String> texts = new ArrayList<>();
    private final List<String> labels = new ArrayList<>();

    LeafCharacters(DataFile file, LeafSamples samples) {
        super(file, samples);
    }

    @Override
    protected void readSamples(String user) throws IOException {
        String each = "a string for each sample of user " + user;
        read(texts, "a list x of user " + user, each, false);
    }

    @Override
    protected void readLabels(String user) throws IOException {
        String each = "one character for each label of user " + user;
        read(labels, "a list y of user " + user, each, true);
    }

    private void read(List<String> values, String list, String each, boolean single)
            throws IOException {
        require(JsonToken.START_ARRAY, list);
        while (in.nextToken() != JsonToken.END_ARRAY) {
            require(JsonToken.VALUE_STRING, each);
            String value = in.getText();
            if (single && value.length() != 1) {
                throw wrong(each);
            }
            samples.claim(value.length());
            values.add(value);
        }
    }

    @Override
    protected void addUser(String user) {
        requireEqual(user, texts.size(), labels.size());
        for (int i = 0; i < texts.size(); i++) {
            String text = texts.get(i);
            float[] row = new float[text.length()];
            for (int at = 0; at < row.length; at++) {
                row[at] = samples.token(text.substring(at, at + 1));
            }
            String wrong = samples.add(user, row, samples.token(labels.get(i)));
            if (wrong != null) {
                throw wrongSample(user, i + 1, wrong);
            }
        }
        texts.clear();
        labels.clear();
    }
}
