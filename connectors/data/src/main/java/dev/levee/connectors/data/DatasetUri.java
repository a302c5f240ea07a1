package dev.levee.connectors.data;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A data set's address, {@code format:path?name=value&name=value}. There are no escapes; the last
 * question mark starts the options.
 *
 * @param text the address as given
 * @param format the part before the first colon
 * @param path the part between the colon and the options; may be empty
 * @param options values by name, in the order given
 */
public record DatasetUri(String text, String format, String path, Map<String, String> options) {
    /** Parses an address without checking format, path and options. */
    public static DatasetUri parse(String text) {
        int colon = text.indexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException(
                    "the data set \"%s\" lacks a format: write it as %s"
                            .formatted(text, Datasets.withFormat(text)));
        }
        int question = text.lastIndexOf('?');
        Map<String, String> options = new LinkedHashMap<>();
        if (question > colon) {
            for (String option : text.substring(question + 1).split("&")) {
                int equals = option.indexOf('=');
                if (equals < 1 || equals == option.length() - 1) {
                    throw new IllegalArgumentException(
                            text + " has the option \"" + option + "\", which is not name=value");
                }
                String name = option.substring(0, equals);
                if (options.put(name, option.substring(equals + 1)) != null) {
                    throw new IllegalArgumentException(text + " has the option " + name + " twice");
                }
            }
        }
        String path = text.substring(colon + 1, question > colon ? question : text.length());
        return new DatasetUri(text, text.substring(0, colon), path, options);
    }

    /** This address without one of its options. */
    DatasetUri without(String name) {
        Map<String, String> others = new LinkedHashMap<>(options);
        others.remove(name);
        String rest =
                others.entrySet().stream()
                        .map(each -> each.getKey() + "=" + each.getValue())
                        .collect(Collectors.joining("&"));
        String shorter = format + ":" + path + (rest.isEmpty() ? "" : "?" + rest);
        return new DatasetUri(shorter, format, path, others);
    }

    /** Requires a path and only the given options. */
    public DatasetUri check(String... names) {
        if (path.isEmpty()) {
            throw new IllegalArgumentException(text + " lacks the path: write " + format + ":PATH");
        }
        return checkOptions(names);
    }

    /** Requires a path, and only options of the given format. */
    public DatasetUri check(DatasetFormat format) {
        return check(names(format));
    }

    /** Requires only options of the given format. */
    public DatasetUri checkOptions(DatasetFormat format) {
        return checkOptions(names(format));
    }

    private static String[] names(DatasetFormat format) {
        return format.options().stream().map(DatasetOption::name).toArray(String[]::new);
    }

    /** Requires only the given options. */
    public DatasetUri checkOptions(String... names) {
        Set<String> known = Set.of(names);
        String listed = names.length == 0 ? "takes none" : "knows " + String.join(", ", names);
        for (String name : options.keySet()) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException(
                        text + " has the unknown option " + name + ": " + format + ": " + listed);
            }
        }
        return this;
    }

    /** True if an option is given. */
    public boolean has(String name) {
        return options.containsKey(name);
    }

    /**
     * The value of an option that is a whole number from {@code least} to {@code most}.
     *
     * @param otherwise the default
     */
    public int whole(String name, int otherwise, int least, int most) {
        return (int) number(name, otherwise, least, most);
    }

    /**
     * The value of an option that is one of several words.
     *
     * @param otherwise the default
     */
    public String word(String name, String otherwise, String... words) {
        String value = options.getOrDefault(name, otherwise);
        if (!List.of(words).contains(value) && has(name)) {
            String last = words[words.length - 1];
            String others = String.join(", ", Arrays.copyOf(words, words.length - 1));
            throw wrong(name, others + " or " + last, null);
        }
        return value;
    }

    /** The comma-separated names in an option; none if it is not given. */
    public List<String> names(String name) {
        return has(name) ? List.of(options.get(name).split(",")) : List.of();
    }

    /** The option {@code seed}, any whole number. */
    public long seed(long otherwise) {
        return number("seed", otherwise, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /**
     * The value of an option that is a number above 0 and below 1.
     *
     * @param otherwise the default
     */
    public double fraction(String name, double otherwise) {
        String value = options.get(name);
        if (value == null) {
            return otherwise;
        }
        try {
            double number = Double.parseDouble(value);
            if (number > 0 && number < 1) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw wrong(name, "a number above 0 and below 1", e);
        }
        throw wrong(name, "a number above 0 and below 1", null);
    }

    private long number(String name, long otherwise, long least, long most) {
        String value = options.get(name);
        if (value == null) {
            return otherwise;
        }
        String right =
                least == Long.MIN_VALUE
                        ? "a whole number"
                        : "a whole number from " + least + " to " + most;
        try {
            long number = Long.parseLong(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw wrong(name, right, e);
        }
        throw wrong(name, right, null);
    }

    private IllegalArgumentException wrong(String name, String right, Exception cause) {
        return new IllegalArgumentException(
                text + ": " + name + " must be " + right + ", got " + options.get(name), cause);
    }
}
