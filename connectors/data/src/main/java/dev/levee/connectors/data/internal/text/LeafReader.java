package dev.levee.connectors.data.internal.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;

import dev.levee.connectors.data.internal.file.DataFile;

import java.io.IOException;

/** Reads one of LEAF's files, value by value, and keeps only its samples. */
abstract class LeafReader {
    private static final JsonFactory JSON = new JsonFactory();

    protected final LeafSamples samples;
    protected JsonParser in;
    private final DataFile file;

    LeafReader(DataFile file, LeafSamples samples) {
        this.file = file;
        this.samples = samples;
    }

    /** Reads the list x of a user; {@link #in} is at its beginning. */
    protected abstract void readSamples(String user) throws IOException;

    /** Reads the list y of a user, which may come before x. */
    protected abstract void readLabels(String user) throws IOException;

    /** Adds the samples of a user, whose x and y have been read. */
    protected abstract void addUser(String user);

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
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                String name = in.currentName();
                in.nextToken();
                switch (name) {
                    case "x" -> readSamples(user);
                    case "y" -> readLabels(user);
                    default -> in.skipChildren();
                }
            }
            addUser(user);
        }
    }

    /** Requires that a user has as many labels as samples. */
    protected final void requireEqual(String user, int rows, int labels) {
        if (rows != labels) {
            throw file.wrong(
                    "has %d samples and %d labels of user %s".formatted(rows, labels, user));
        }
    }

    /**
     * An error about one sample.
     *
     * @param number the number of the sample in x, from 1
     */
    protected final IllegalArgumentException wrongSample(String user, int number, String what) {
        return file.wrong(
                "has a sample of user %s, number %d of its x, that %s"
                        .formatted(user, number, what));
    }

    protected final IllegalArgumentException has(String what) {
        return file.wrong("has " + what);
    }

    protected final void require(JsonToken token, String what) throws IOException {
        if (in.currentToken() != token) {
            throw wrong(what);
        }
    }

    protected final IllegalArgumentException wrong(String what) throws IOException {
        String there = in.currentToken() == null ? "the end" : in.getText();
        return file.wrong(
                "must have %s, but has %s in line %d"
                        .formatted(
                                what,
                                there.length() > 40 ? there.substring(0, 40) + "…" : there,
                                in.currentLocation().getLineNr()));
    }
}
