package dev.levee.jobs.internal.config;

import dev.levee.learners.Models;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/** Addresses of models and data that a Python file defines, with what options say of them. */
public final class PythonAddresses {
    private static final String SCHEME = "python:";

    private PythonAddresses() {}

    /** The data set of a run that names none: what the model's file brings along, or strokes. */
    public static String usualData(String model) {
        return Models.ownData(model).orElse("strokes:");
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
        String counted = with(dataset, "participants", String.valueOf(participants));
        return python == null ? counted : with(counted, "python", python);
    }

    /** An address with an option that it does not have yet. */
    private static String with(String address, String option, String value) {
        String options = address.substring(address.indexOf('?') + 1);
        return Stream.of(options.split("&")).anyMatch(each -> each.startsWith(option + "="))
                ? address
                : appended(address, option, value);
    }

    private static String appended(String address, String option, String value) {
        return address
                + (address.contains("?") ? "&" : "?")
                + option
                + "="
                + URLEncoder.encode(value, StandardCharsets.UTF_8);
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
        return appended(model, option, value);
    }
}
