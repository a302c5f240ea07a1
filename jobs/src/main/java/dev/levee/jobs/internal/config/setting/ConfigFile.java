package dev.levee.jobs.internal.config.setting;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads and writes settings in a YAML file, whose keys are the names of options. */
public final class ConfigFile {
    private static final YAMLMapper YAML =
            new YAMLMapper(
                    YAMLFactory.builder()
                            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                            .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
                            .enable(YAMLGenerator.Feature.INDENT_ARRAYS_WITH_INDICATOR)
                            .disable(YAMLGenerator.Feature.SPLIT_LINES)
                            .build());

    static {
        YAML.enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    }

    private ConfigFile() {}

    /**
     * Reads a file.
     *
     * @param known names of all settings
     * @throws IllegalArgumentException if the file cannot be read or contains unknown settings; one
     *     sentence
     */
    public static Map<String, GivenSetting> read(Path file, List<String> known) {
        return read(file, "--config " + file, known);
    }

    /**
     * Like {@link #read(Path, List)}, for a file that is not given by an option.
     *
     * @param whole name of the file in error messages
     */
    public static Map<String, GivenSetting> read(Path file, String whole, List<String> known) {
        String text = text(file, whole);
        Map<String, GivenSetting> given =
                given(root(text, whole), String.valueOf(file.getFileName()));
        refuseUnknown(given, whole, known);
        return given;
    }

    /**
     * Reads the text of a file in which one key may hold named groups of settings: {@code variants:
     * {small: {workers: 5}, large: {workers: 50}}}.
     *
     * @param text the content of the file
     * @param file name of the file, for error messages
     * @param groups the name of that key
     * @throws IllegalArgumentException if the text is wrong; one sentence
     */
    public static Grouped readGrouped(String text, Path file, String groups) {
        JsonNode root = root(text, file.toString());
        String origin = String.valueOf(file.getFileName());
        LinkedHashMap<String, Map<String, GivenSetting>> named = new LinkedHashMap<>();
        JsonNode all = root.path(groups);
        boolean right = all.isMissingNode() || all.isObject() && !all.isEmpty();
        for (Map.Entry<String, JsonNode> each : all.properties()) {
            right &= each.getValue().isObject();
            named.put(each.getKey(), given(each.getValue(), each.getKey() + " in " + origin));
        }
        if (!right) {
            throw new IllegalArgumentException(
                    "%s in %s must have lines such as \"large: {workers: 50}\""
                            .formatted(groups, origin));
        }
        if (root instanceof ObjectNode object) {
            object.remove(groups);
        }
        return new Grouped(given(root, origin), named);
    }

    /**
     * Settings, and named groups of settings.
     *
     * @param given the settings outside of groups
     * @param groups the others
     */
    public record Grouped(
            Map<String, GivenSetting> given,
            LinkedHashMap<String, Map<String, GivenSetting>> groups) {}

    /**
     * Reads the text of a file.
     *
     * @param whole name of the file in error messages
     * @throws IllegalArgumentException if there is no such file; one sentence
     */
    public static String text(Path file, String whole) {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException(whole + " does not exist", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Refuses unknown settings.
     *
     * @param whole name of the file in error messages
     * @param known names of all settings
     * @throws IllegalArgumentException if a setting is unknown; one sentence
     */
    public static void refuseUnknown(
            Map<String, GivenSetting> given, String whole, List<String> known) {
        for (String key : given.keySet()) {
            if (!known.contains(key)) {
                throw new IllegalArgumentException(
                        whole
                                + " sets "
                                + key
                                + ", which does not exist"
                                + SpellingSuggestion.nearest(key, known)
                                        .map(name -> "; did you mean " + name + "?")
                                        .orElse(""));
            }
        }
    }

    /**
     * Reads a text that another version of this program may have written. Unknown settings are left
     * out.
     *
     * @param origin name of the text in error messages
     * @param known names of all settings
     * @throws IllegalArgumentException if the text has no settings in YAML; one sentence
     */
    public static Map<String, GivenSetting> parse(String text, String origin, List<String> known) {
        Map<String, GivenSetting> given = given(root(text, origin), origin);
        given.keySet().retainAll(known);
        return given;
    }

    /** Parses a text as a YAML object; an empty text gives an empty object. */
    private static JsonNode root(String text, String whole) {
        JsonNode root;
        try (YAMLParser parser = YAML.getFactory().createParser(text)) {
            root = YAML.readTree(text);
            while (parser.nextToken() != null) {
                // The parser would give the alias's name as the value.
                if (parser.isCurrentAlias()) {
                    throw new IllegalArgumentException(
                            "%s has the alias *%s, which is not supported: write out its value"
                                    .formatted(whole, parser.getText()));
                }
            }
        } catch (MismatchedInputException e) {
            throw new IllegalArgumentException(
                    whole + " has several documents: leave out the lines of --- between them", e);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    whole + " is not YAML: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (root == null || root.isMissingNode() || root.isNull()) {
            return YAML.createObjectNode();
        }
        if (!root.isObject()) {
            throw new IllegalArgumentException(
                    whole + " must consist of lines such as \"workers: 11\"");
        }
        return root;
    }

    private static Map<String, GivenSetting> given(JsonNode object, String origin) {
        Map<String, GivenSetting> given = new LinkedHashMap<>();
        object.properties()
                .forEach(
                        property -> {
                            String key = property.getKey();
                            String of = key + " in " + origin;
                            given.put(key, new GivenSetting(texts(property.getValue(), of), of));
                        });
        return given;
    }

    private static List<String> texts(JsonNode value, String origin) {
        List<String> texts = new ArrayList<>();
        for (JsonNode each : value.isArray() ? value : List.of(value)) {
            if (!each.isValueNode() || each.isNull()) {
                throw new IllegalArgumentException(origin + " must be a value or a list of values");
            }
            texts.add(each.asText());
        }
        return texts;
    }

    /** Returns these values as the text of a file. */
    public static String write(Map<String, Object> values) {
        try {
            return YAML.writeValueAsString(values);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
