package dev.levee.estimation.learner;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Parameters of a learner as a user wrote them: {@code forest(trees=500,depth=5)}.
 *
 * @param learner the learner's name, for messages
 * @param values the parameters' values as text, by name
 */
public record Parameters(String learner, Map<String, String> values) {
    /** Copies the map. */
    public Parameters {
        values = Map.copyOf(values);
    }

    /**
     * Requires that only these parameters are given.
     *
     * @throws IllegalArgumentException if another parameter is given; one sentence
     */
    public Parameters only(String... names) {
        Set<String> known = Set.of(names);
        for (String name : new TreeSet<>(values.keySet())) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException(
                        "the learner %s has no parameter %s: %s"
                                .formatted(
                                        learner,
                                        name,
                                        names.length == 0
                                                ? "it takes none"
                                                : "it takes " + String.join(", ", names)));
            }
        }
        return this;
    }

    /** True if a parameter is given. */
    public boolean has(String name) {
        return values.containsKey(name);
    }

    /**
     * The value of a parameter as a whole number.
     *
     * @param otherwise the default
     * @throws IllegalArgumentException if it is not a whole number in this range; one sentence
     */
    public int whole(String name, int otherwise, int least, int most) {
        if (!has(name)) {
            return otherwise;
        }
        try {
            int value = Integer.parseInt(values.get(name));
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw wrong(name, "a whole number from " + least + " to " + most, e);
        }
        throw wrong(name, "a whole number from " + least + " to " + most, null);
    }

    /**
     * The value of a parameter as a number.
     *
     * @param otherwise the default
     * @throws IllegalArgumentException if it is not a number in this range; one sentence
     */
    public double number(String name, double otherwise, double least, double most) {
        if (!has(name)) {
            return otherwise;
        }
        try {
            double value = Double.parseDouble(values.get(name));
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw wrong(name, "a number from " + least + " to " + most, e);
        }
        throw wrong(name, "a number from " + least + " to " + most, null);
    }

    private IllegalArgumentException wrong(String name, String right, Exception cause) {
        return new IllegalArgumentException(
                "%s of the learner %s must be %s, got %s"
                        .formatted(name, learner, right, values.get(name)),
                cause);
    }
}
