package dev.levee.jobs.internal.config.setting;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Settings in a YAML file: one key per option, named like it. */
public final class ConfigFile {
    private static final YAMLMapper YAML =
            new YAMLMapper(
                    YAMLFactory.builder()
                            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                            .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
                            .enable(YAMLGenerator.Feature.INDENT_ARRAYS_WITH_INDICATOR)
                            .disable(YAMLGenerator.Feature.SPLIT_LINES)
                            .build());

    private ConfigFile() {}

    /**
     * Reads a file.
     *
     * @param known names of the settings there are
     * @throws IllegalArgumentException if it is not readable or contains anything else; one
     *     sentence
     */
    public static Map<String, Given> read(Path file, List<String> known) {
        return read(file, "--config " + file, known);
    }

    /**
     * The same, of a file that no option names.
     *
     * @param whole what to call the file in an error
     */
    public static Map<String, Given> read(Path file, String whole, List<String> known) {
        String text;
        try {
            text = Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException(whole + " does not exist", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<String, Given> given = parse(text, whole, String.valueOf(file.getFileName()));
        for (String key : given.keySet()) {
            if (!known.contains(key)) {
                throw new IllegalArgumentException(
                        whole
                                + " sets "
                                + key
                                + ", which does not exist"
                                + Misspelt.nearest(key, known)
                                        .map(name -> "; did you mean " + name + "?")
                                        .orElse(""));
            }
        }
        return given;
    }

    /**
     * Reads a text that another version of this program may have written: settings that are not
     * known here are left out.
     *
     * @param origin what to call the text in an error
     * @param known names of the settings there are
     * @throws IllegalArgumentException if it is no text of settings; one sentence
     */
    public static Map<String, Given> parse(String text, String origin, List<String> known) {
        Map<String, Given> given = parse(text, origin, origin);
        given.keySet().retainAll(known);
        return given;
    }

    private static Map<String, Given> parse(String text, String whole, String origin) {
        JsonNode root;
        try {
            root = YAML.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    whole + " is not YAML: " + e.getOriginalMessage(), e);
        }
        Map<String, Given> given = new LinkedHashMap<>();
        if (root == null || root.isMissingNode() || root.isNull()) {
            return given;
        }
        if (!root.isObject()) {
            throw new IllegalArgumentException(
                    whole + " must consist of lines such as \"workers: 11\"");
        }
        root.properties()
                .forEach(
                        property -> {
                            String key = property.getKey();
                            String of = key + " in " + origin;
                            given.put(key, new Given(texts(property.getValue(), of), of));
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

    /** The text of a file with these values. */
    public static String write(Map<String, Object> values) {
        try {
            return YAML.writeValueAsString(values);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
