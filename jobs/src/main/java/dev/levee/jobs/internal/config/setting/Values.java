package dev.levee.jobs.internal.config.setting;

import dev.levee.gar.Attack;
import dev.levee.gar.Attacks;
import dev.levee.operators.rounds.training.CountOrShare;

import org.apache.flink.util.TimeUtils;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Converts values of settings to text and back. */
public final class Values {
    private Values() {}

    /** Reads a value. Error messages start with the option's name. */
    public static <T> T named(String option, Supplier<T> read) {
        try {
            return read.get();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(option + ": " + e.getMessage(), e);
        }
    }

    /**
     * Reads an attack, and puts the option's name in front of the error.
     *
     * @return null of {@code none}, or if the text is null
     */
    public static Attack attack(String option, String text) {
        return text == null || text.equals("none")
                ? null
                : named(option, () -> Attacks.parse(text));
    }

    /**
     * Reads one value.
     *
     * @param name the setting's name in errors
     * @param type the record component's type
     * @param range permitted interval, empty for any
     */
    static Object parse(String name, Class<?> type, String range, String text) {
        if (type == String.class) {
            if (text.isBlank()) {
                throw new IllegalArgumentException(name + " must not be empty");
            }
            return text.trim();
        }
        if (type == Duration.class) {
            return Durations.positive(name, text);
        }
        if (type == CountOrShare.class) {
            return amount(name, range, text);
        }
        if (type.isEnum()) {
            return constant(name, type, text);
        }
        if (type == boolean.class || type == Boolean.class) {
            return flag(name, text);
        }
        return number(name, type, range, text);
    }

    private static CountOrShare amount(String name, String range, String text) {
        if (text.strip().endsWith("%")) {
            return named(name, () -> CountOrShare.share(text));
        }
        Optional<CountOrShare> allBut = CountOrShare.allBut(text);
        if (allBut.isPresent()) {
            return allBut.get();
        }
        try {
            return CountOrShare.of((int) number(name, int.class, range, text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    e.getMessage().replace(", got ", " or a share such as 20%, got "), e);
        }
    }

    private static Object number(String name, Class<?> type, String range, String text) {
        boolean whole = type != double.class && type != Double.class;
        Interval interval = Interval.parse(range);
        String right =
                " must be "
                        + (whole ? "a whole number " : "a number ")
                        + interval.words()
                        + ", got "
                        + text;
        try {
            String digits = text.trim().replace("_", "");
            double value = whole ? Long.parseLong(digits) : Double.parseDouble(digits);
            if (!interval.contains(value)) {
                throw new IllegalArgumentException(name + right);
            }
            if (type == long.class || type == Long.class) {
                return Long.parseLong(digits);
            }
            return whole ? (Object) Integer.parseInt(digits) : (Object) value;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + right, e);
        }
    }

    private static Object flag(String name, String text) {
        return switch (text.trim()) {
            case "true" -> true;
            case "false" -> false;
            default ->
                    throw new IllegalArgumentException(
                            name + " must be true or false, got " + text);
        };
    }

    private static Object constant(String name, Class<?> type, String text) {
        List<Object> constants = List.of(type.getEnumConstants());
        return constants.stream()
                .filter(each -> text(each).equals(text.trim().toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        name
                                                + (constants.size() > 1
                                                        ? " must be one of "
                                                        : " must be ")
                                                + constants.stream()
                                                        .map(Values::text)
                                                        .collect(Collectors.joining(", "))
                                                + ", got "
                                                + text));
    }

    /** Returns a value as files hold it: numbers and lists as such, anything else as text. */
    static Object written(Object value) {
        if (value instanceof CountOrShare.Count count) {
            return count.count();
        }
        return value instanceof Number || value instanceof List || value instanceof Boolean
                ? value
                : text(value);
    }

    /** Returns a value as text that {@link #parse} reads. */
    public static String text(Object value) {
        if (value instanceof Duration duration) {
            return TimeUtils.formatWithHighestUnit(duration).replace(" ", "");
        }
        if (value instanceof Enum<?> constant) {
            return constant.toString().toLowerCase(Locale.ROOT).replace('_', '-');
        }
        return String.valueOf(value);
    }
}
