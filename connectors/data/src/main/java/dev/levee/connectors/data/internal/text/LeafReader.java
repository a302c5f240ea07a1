package dev.levee.connectors.data.internal.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;

import dev.levee.connectors.data.internal.file.DataFile;
import dev.levee.connectors.data.internal.table.Numbers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads one of LEAF's files, value by value, and keeps only its samples. */
final class LeafReader {
    private static final JsonFactory JSON = new JsonFactory();

    /** Places that a sample has before it is known how many it needs. */
    private static final int START = 16;

    private final DataFile file;
    private final LeafSamples samples;
    private JsonParser in;

    LeafReader(DataFile file, LeafSamples samples) {
        this.file = file;
        this.samples = samples;
    }

    /** Adds the file's samples. */
    void read() {
        try (JsonParser parser = JSON.createParser(file.stream())) {
            in = parser;
            in.nextToken();
            require(JsonToken.START_OBJECT, "an object with user_data");
            boolean found = false;
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                boolean data = in.currentName().equals("user_data");
                in.nextToken();
                if (data) {
                    users();
                    found = true;
                } else {
                    in.skipChildren();
                }
            }
            if (!found) {
                throw file.wrong("has no user_data, as LEAF's files have");
            }
        } catch (JsonProcessingException e) {
            String place = e.getLocation() == null ? "" : " in line " + e.getLocation().getLineNr();
            throw file.wrong(
                    "is not readable JSON: "
                            + e.getOriginalMessage().lines().findFirst().orElse("wrong")
                            + place,
                    e);
        } catch (IOException e) {
            throw file.failed(e);
        }
    }

    private void users() throws IOException {
        require(JsonToken.START_OBJECT, "user_data by user");
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String user = in.currentName();
            in.nextToken();
            require(JsonToken.START_OBJECT, "x and y of user " + user);
            List<float[]> rows = List.of();
            List<String> labels = List.of();
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                String name = in.currentName();
                in.nextToken();
                switch (name) {
                    case "x" -> rows = rows(user);
                    case "y" -> labels = labels(user);
                    default -> in.skipChildren();
                }
            }
            add(user, rows, labels);
        }
    }

    private void add(String user, List<float[]> rows, List<String> labels) {
        if (rows.size() != labels.size()) {
            throw file.wrong(
                    "has %d samples and %d labels of user %s"
                            .formatted(rows.size(), labels.size(), user));
        }
        for (int i = 0; i < rows.size(); i++) {
            String wrong = samples.add(user, rows.get(i), labels.get(i));
            if (wrong != null) {
                throw file.wrong(
                        "has a sample of user %s, number %d of its x, that %s"
                                .formatted(user, i + 1, wrong));
            }
        }
    }

    private List<float[]> rows(String user) throws IOException {
        require(JsonToken.START_ARRAY, "a list x of user " + user);
        List<float[]> rows = new ArrayList<>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            require(JsonToken.START_ARRAY, "a list of numbers for each sample of user " + user);
            rows.add(row(user));
        }
        return rows;
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
            throw wrong("numbers for each sample of user " + user + " (text cannot be learned)");
        }
        float value = (float) in.getDoubleValue();
        if (Float.isInfinite(value)) {
            throw file.wrong("has %s, which is not finite as a float".formatted(in.getText()));
        }
        return value;
    }

    private List<String> labels(String user) throws IOException {
        require(JsonToken.START_ARRAY, "a list y of user " + user);
        List<String> labels = new ArrayList<>();
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
        return labels;
    }

    private void require(JsonToken token, String what) throws IOException {
        if (in.currentToken() != token) {
            throw wrong(what);
        }
    }

    private IllegalArgumentException wrong(String what) throws IOException {
        String there = in.currentToken() == null ? "the end" : in.getText();
        return file.wrong(
                "must have %s, but has %s in line %d"
                        .formatted(
                                what,
                                there.length() > 40 ? there.substring(0, 40) + "…" : there,
                                in.currentLocation().getLineNr()));
    }
}
