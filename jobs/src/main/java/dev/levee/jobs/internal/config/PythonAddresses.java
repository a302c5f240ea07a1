package dev.levee.jobs.internal.config;

import dev.levee.learners.Models;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Builds the addresses of models and data that Python files define, including options. */
public final class PythonAddresses {
    private static final String SCHEME = "python:";

    private PythonAddresses() {}

    /** The default data set of a run: the one that the model's file brings along, else strokes. */
    public static String usualData(String model) {
        return Models.ownData(model).orElse("strokes:");
    }

    /** The path of the Python file that an address names, if it names one. */
    public static Optional<String> file(String address) {
        return address.startsWith(SCHEME)
                ? Optional.of(address.substring(SCHEME.length()).split("\\?", 2)[0])
                : Optional.empty();
    }

    /**
     * The default partition: natural for a Python file, because its samples have owners; else iid.
     */
    public static String usualPartition(String dataset) {
        return dataset.startsWith(SCHEME) ? "natural" : "iid";
    }

    /**
     * Returns the address of a data set. A Python file receives the number of participants. Its
     * path and the interpreter's become absolute, because each process of the job opens the
     * address.
     *
     * @param python the interpreter, null for the default
     */
    public static String data(String dataset, int participants, String python) {
        if (!dataset.startsWith(SCHEME)) {
            return dataset;
        }
        String path = file(dataset).orElse("");
        String options = dataset.substring(SCHEME.length() + path.length());
        String address = SCHEME + absolute(path) + options;
        if (!options.matches(".*[?&]participants=.*")) {
            address = with(address, "participants", String.valueOf(participants));
        }
        String interpreter = python != null ? python : interpreter(options);
        return interpreter == null
                ? address
                : with(
                        address,
                        "python",
                        interpreter.contains("/") ? absolute(interpreter) : interpreter);
    }

    /** Makes a local path absolute; other addresses are returned unchanged. */
    private static String absolute(String path) {
        return path.isEmpty() || path.matches("[a-zA-Z][a-zA-Z0-9+.-]+:.*")
                ? path
                : Path.of(path).toAbsolutePath().normalize().toString();
    }

    private static String interpreter(String options) {
        String option = "python=";
        return Stream.of(options.split("[?&]"))
                .filter(each -> each.startsWith(option))
                .map(each -> each.substring(option.length()))
                .map(each -> URLDecoder.decode(each, StandardCharsets.UTF_8))
                .findFirst()
                .orElse(null);
    }

    /** Sets an option of an address, replacing its earlier value. */
    private static String with(String address, String option, String value) {
        String[] parts = address.split("\\?", 2);
        Stream<String> others =
                Stream.of(parts)
                        .skip(1)
                        .flatMap(options -> Stream.of(options.split("&")))
                        .filter(each -> !each.startsWith(option + "="));
        String given = option + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
        return Stream.concat(others, Stream.of(given))
                .collect(Collectors.joining("&", parts[0] + "?", ""));
    }

    /**
     * Returns the address of a model with its interpreter and its device.
     *
     * @param python the interpreter, null for the default
     * @param device the device, null for the default
     * @throws IllegalArgumentException if the model is not run by an interpreter; one sentence
     */
    public static String model(String model, String python, String device) {
        return withOption(withOption(model, "python", python), "device", device);
    }

    private static String withOption(String model, String option, String value) {
        if (value == null) {
            return model;
        }
        if (!model.startsWith(SCHEME)) {
            throw new IllegalArgumentException(
                    "--%s %s is for --model python:PATH, got --model %s"
                            .formatted(option, value, model));
        }
        return with(model, option, value);
    }
}
