package dev.levee.jobs.internal.placement;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Reads JSON that people write. Errors say in one sentence what is missing or misspelt. */
final class JsonFile {
    private JsonFile() {}

    /**
     * Reads the JSON object in a file.
     *
     * @throws IllegalArgumentException if the file has none; one sentence
     */
    static JsonNode read(Path path) {
        try {
            JsonNode node = new ObjectMapper().readTree(Files.readString(path));
            if (!node.isObject()) {
                throw new IllegalArgumentException(path + " must hold one JSON object");
            }
            return node;
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("there is no file " + path, e);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "%s is not JSON: line %d, %s"
                            .formatted(
                                    path,
                                    e.getLocation() == null ? 1 : e.getLocation().getLineNr(),
                                    e.getOriginalMessage()),
                    e);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    path + " cannot be read: " + e.getClass().getSimpleName(), e);
        }
    }

    /** Checks that an object has no unknown fields. */
    static void onlyFields(JsonNode object, String what, Set<String> known) {
        if (!object.isObject()) {
            throw new IllegalArgumentException(what + " must be an object, got " + object);
        }
        object.fieldNames()
                .forEachRemaining(
                        name -> {
                            if (!known.contains(name)) {
                                throw new IllegalArgumentException(
                                        "%s has no field %s; there are %s"
                                                .formatted(
                                                        what,
                                                        name,
                                                        String.join(
                                                                ", ",
                                                                known.stream().sorted().toList())));
                            }
                        });
    }

    /** The elements of a list, none if it is missing. */
    static List<JsonNode> list(JsonNode object, String name, String what) {
        JsonNode node = object.path(name);
        if (!node.isMissingNode() && !node.isArray()) {
            throw new IllegalArgumentException(
                    "%s of %s must be a list, got %s".formatted(name, what, node));
        }
        List<JsonNode> elements = new ArrayList<>();
        node.forEach(elements::add);
        return elements;
    }

    /** A text field, null if it is missing. */
    static String text(JsonNode object, String name, String what) {
        JsonNode node = object.path(name);
        if (node.isMissingNode() || node.isNull()) {
            return null;
        }
        if (!node.isTextual()) {
            throw new IllegalArgumentException(
                    "%s of %s must be a text, got %s".formatted(name, what, node));
        }
        return node.asText();
    }

    /** A number field, or {@code missing} if it is absent. */
    static double number(JsonNode object, String name, String what, double missing) {
        JsonNode node = object.path(name);
        if (node.isMissingNode()) {
            return missing;
        }
        if (!node.isNumber()) {
            throw new IllegalArgumentException(
                    "%s of %s must be a number, got %s".formatted(name, what, node));
        }
        return node.asDouble();
    }

    /** A field with a whole number of bytes, 0 if it is missing. */
    static long bytes(JsonNode object, String name, String what) {
        JsonNode node = object.path(name);
        return node.isMissingNode() ? 0 : bytes(node, name + " of " + what);
    }

    /** Reads a whole number of bytes. */
    static long bytes(JsonNode node, String what) {
        if (!node.isIntegralNumber() || !node.canConvertToLong()) {
            throw new IllegalArgumentException(
                    what + " must be a whole number of bytes, got " + node);
        }
        return node.asLong();
    }
}
