package dev.levee.gar;

import java.util.Map;

/** The arguments of a named rule, pre-aggregation or attack, by parameter. */
public record Arguments(String name, Map<String, String> values) {
    /** The number that a parameter has, or a default. */
    public double number(String parameter, double otherwise) {
        String text = values.get(parameter);
        if (text == null) {
            return otherwise;
        }
        try {
            double value = Double.parseDouble(text);
            if (!Double.isNaN(value)) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw wrong(parameter, "a number", text);
        }
        throw wrong(parameter, "a number", text);
    }

    /** The number that a required parameter has. */
    public double number(String parameter) {
        required(parameter);
        return number(parameter, Double.NaN);
    }

    /** The finite number above 0 that a required parameter has. */
    public double aboveZero(String parameter) {
        double value = number(parameter);
        if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
            throw wrong(parameter, "a number above 0", values.get(parameter));
        }
        return value;
    }

    /** The whole number above 0 that a required parameter has. */
    public long whole(String parameter) {
        String text = required(parameter);
        if (!text.matches("[1-9][0-9]{0,17}")) {
            throw wrong(parameter, "a whole number above 0", text);
        }
        return Long.parseLong(text);
    }

    /** The whole number above 0 that a parameter has, or a default. */
    public int positive(String parameter, int otherwise) {
        String text = values.get(parameter);
        if (text == null) {
            return otherwise;
        }
        try {
            int value = Integer.parseInt(text);
            if (value > 0) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw wrong(parameter, "a whole number above 0", text);
        }
        throw wrong(parameter, "a whole number above 0", text);
    }

    /** The whole number of at least 0 that a parameter has, or a default. */
    public int index(String parameter, int otherwise) {
        String text = values.get(parameter);
        if (text == null) {
            return otherwise;
        }
        if (!text.matches("[0-9]{1,9}")) {
            throw wrong(parameter, "a whole number from 0", text);
        }
        return Integer.parseInt(text);
    }

    /** The text that a parameter has, or a default. */
    public String word(String parameter, String otherwise) {
        return values.getOrDefault(parameter, otherwise);
    }

    /** True if the parameter has a value. */
    public boolean has(String parameter) {
        return values.containsKey(parameter);
    }

    /** True if the parameter is given as a bare word or as true. */
    public boolean flag(String parameter) {
        String text = values.getOrDefault(parameter, "false");
        if (!text.equals("true") && !text.equals("false")) {
            throw wrong(parameter, "true or false", text);
        }
        return text.equals("true");
    }

    /**
     * Checks that a value is a number of at least 0.
     *
     * @param what subject of the message, such as {@code reversed: the factor c}
     * @throws IllegalArgumentException if it is negative, infinite or NaN
     */
    public static void checkFromZero(String what, double value) {
        if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    what + " must be a number from 0, got " + text(value));
        }
    }

    /**
     * Checks that a whole number is large enough.
     *
     * @param what subject of the message, such as {@code dnc: iterations}
     * @throws IllegalArgumentException if it is below {@code least}
     */
    public static void checkAtLeast(String what, int least, int value) {
        if (value < least) {
            throw new IllegalArgumentException(
                    what + " must be at least " + least + ", got " + value);
        }
    }

    /** Formats a number as the shortest text that reads back as the same number. */
    public static String text(double value) {
        long whole = (long) value;
        return whole == value && Math.abs(value) < 1e15
                ? Long.toString(whole)
                : Double.toString(value);
    }

    private String required(String parameter) {
        String text = values.get(parameter);
        if (text == null) {
            throw new IllegalArgumentException(
                    "%s needs a value for %s, such as %s(%s=2)"
                            .formatted(name, parameter, name, parameter));
        }
        return text;
    }

    private IllegalArgumentException wrong(String parameter, String kind, String text) {
        return new IllegalArgumentException(
                name + ": " + parameter + " must be " + kind + ", got " + text);
    }
}
