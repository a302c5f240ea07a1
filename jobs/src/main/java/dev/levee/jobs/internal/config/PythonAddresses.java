package dev.levee.jobs.internal.config;

import dev.levee.learners.Models;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Addresses of models and data that a Python file defines, with what options say of them. */
public final class PythonAddresses {
    private static final String SCHEME = "python:";

    private PythonAddresses() {}

    /** The data set of a run that names none: what the model's file brings along, or strokes. */
    public static String usualData(String model) {
        return Models.ownData(model).orElse("strokes:");
    }

    /** The path of the Python file that an address of a model or a data set names, if it does. */
    public static Optional<String> file(String address) {
        return address.startsWith(SCHEME)
                ? Optional.of(address.substring(SCHEME.length()).split("\\?", 2)[0])
                : Optional.empty();
    }

    /** The default partition: natural for a Python file, whose samples have owners. */
    public static String usualPartition(String dataset) {
        return dataset.startsWith(SCHEME) ? "natural" : "iid";
    }

    /**
     * The address of a data set, where a Python file is told how many participants there are.
     *
     * @param python null for the usual interpreter
     */
    public static String data(String dataset, int participants, String python) {
        if (!dataset.startsWith(SCHEME)) {
            return dataset;
        }
        String counted =
                dataset.matches(".*[?&]participants=.*")
                        ? dataset
                        : with(dataset, "participants", String.valueOf(participants));
        return python == null ? counted : with(counted, "python", python);
    }

    /** An address with an option, in the place of the value that it has. */
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
     * The address of a model with the interpreter that runs it, and where it computes.
     *
     * @param python null for the usual one
     * @param device null for the usual one
     * @throws IllegalArgumentException if it is not run by an interpreter; one sentence
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
