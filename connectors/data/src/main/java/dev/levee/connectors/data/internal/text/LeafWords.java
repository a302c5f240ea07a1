package dev.levee.connectors.data.internal.text;

import com.fasterxml.jackson.core.JsonToken;

import dev.levee.connectors.data.internal.file.DataFile;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads LEAF's Reddit data. Each entry of x has sequences of words, all of the same length; the
 * entry of y has, in {@code target_tokens}, the word that follows each of these words. Each word to
 * predict gives one sample: the preceding words of its sequence, padded in front.
 */
final class LeafWords extends LeafReader {
    private static final String TARGETS = "target_tokens";

    private final List<List<int[]>> entries = new ArrayList<>();
    private final List<List<int[]>> targets = new ArrayList<>();
    private final int padding;

    LeafWords(DataFile file, LeafSamples samples) {
        super(file, samples);
        this.padding = samples.token(Vocabulary.PADDING);
    }

    @Override
    protected void readSamples(String user) throws IOException {
        require(JsonToken.START_ARRAY, "a list x of user " + user);
        while (in.nextToken() != JsonToken.END_ARRAY) {
            entries.add(sequences("sequences of words in x of user " + user));
        }
    }

    @Override
    protected void readLabels(String user) throws IOException {
        require(JsonToken.START_ARRAY, "a list y of user " + user);
        String what = "objects with target_tokens in y of user " + user;
        while (in.nextToken() != JsonToken.END_ARRAY) {
            require(JsonToken.START_OBJECT, what);
            List<int[]> found = List.of();
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                boolean words = in.currentName().equals(TARGETS);
                in.nextToken();
                if (words) {
                    found = sequences(what);
                } else {
                    in.skipChildren();
                }
            }
            targets.add(found);
        }
    }

    private List<int[]> sequences(String what) throws IOException {
        require(JsonToken.START_ARRAY, what);
        List<int[]> sequences = new ArrayList<>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            require(JsonToken.START_ARRAY, what);
            List<Integer> words = new ArrayList<>();
            while (in.nextToken() != JsonToken.END_ARRAY) {
                require(JsonToken.VALUE_STRING, what);
                samples.claim(1);
                words.add(samples.token(in.getText()));
            }
            sequences.add(words.stream().mapToInt(Integer::intValue).toArray());
        }
        return sequences;
    }

    @Override
    protected void addUser(String user) {
        requireEqual(user, entries.size(), targets.size());
        for (int i = 0; i < entries.size(); i++) {
            String wrong = add(user, entries.get(i), targets.get(i));
            if (wrong != null) {
                throw wrongSample(user, i + 1, wrong);
            }
        }
        entries.clear();
        targets.clear();
    }

    private String add(String user, List<int[]> sequences, List<int[]> following) {
        if (sequences.size() != following.size()) {
            return "has %d sequences, but %d in its target_tokens"
                    .formatted(sequences.size(), following.size());
        }
        String wrong = null;
        for (int i = 0; i < sequences.size() && wrong == null; i++) {
            int[] words = sequences.get(i);
            int[] next = following.get(i);
            if (words.length != next.length) {
                return "has a sequence of %d words, but %d in its target_tokens"
                        .formatted(words.length, next.length);
            }
            for (int at = 0; at < next.length && wrong == null; at++) {
                if (next[at] != padding) {
                    wrong = samples.add(user, until(words, at), next[at]);
                }
            }
        }
        return wrong;
    }

    private float[] until(int[] words, int last) {
        samples.claim(words.length);
        float[] row = new float[words.length];
        int before = words.length - 1 - last;
        for (int i = 0; i < words.length; i++) {
            row[i] = i < before ? padding : words[i - before];
        }
        return row;
    }
}
