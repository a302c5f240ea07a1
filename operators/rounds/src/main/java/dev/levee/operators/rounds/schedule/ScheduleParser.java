package dev.levee.operators.rounds.schedule;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads schedules such as {@code warmup(rounds=100) | step(every=1000, factor=0.1)}. */
public final class ScheduleParser {
    private static final Pattern STAGE = Pattern.compile("\\s*([a-z]+)\\s*(?:\\(([^()]*)\\))?\\s*");

    private final String text;
    private final Map<String, String> parameters = new HashMap<>();

    private ScheduleParser(String text) {
        this.text = text;
    }

    /**
     * Reads a schedule.
     *
     * @param initial step size before the schedule
     * @param rounds length of the run
     */
    public static LearningRate parse(String text, double initial, long rounds) {
        int bar = text.indexOf('|');
        if (bar < 0) {
            return new ScheduleParser(text).stage(initial, rounds);
        }
        ScheduleParser first = new ScheduleParser(text.substring(0, bar));
        if (!first.name().equals("warmup")) {
            throw new IllegalArgumentException(
                    "only warmup(rounds=…) can stand before a | in a schedule, got " + text);
        }
        return new ScheduledRate.Warmup(
                first.whole("rounds"), parse(text.substring(bar + 1), initial, rounds));
    }

    private LearningRate stage(double initial, long rounds) {
        LearningRate stage =
                switch (name()) {
                    case "constant" -> new ScheduledRate.Constant(initial);
                    case "step" ->
                            new ScheduledRate.Step(initial, whole("every"), number("factor"));
                    case "exponential" -> new ScheduledRate.Exponential(initial, number("decay"));
                    case "inverse" -> new ScheduledRate.Inverse(initial, number("decay"));
                    case "cosine" -> new ScheduledRate.Cosine(initial, rounds);
                    case "warmup" ->
                            new ScheduledRate.Warmup(
                                    whole("rounds"), new ScheduledRate.Constant(initial));
                    default -> throw unknown();
                };
        if (!parameters.isEmpty()) {
            throw new IllegalArgumentException(
                    "the schedule %s has no parameter %s"
                            .formatted(text.trim(), parameters.keySet().iterator().next()));
        }
        return stage;
    }

    /** The stage's name; reads its parameters on the way. */
    private String name() {
        Matcher matcher = STAGE.matcher(text);
        if (!matcher.matches()) {
            throw unknown();
        }
        String list = matcher.group(2);
        if (list != null && !list.isBlank()) {
            for (String parameter : list.split(",", -1)) {
                int equals = parameter.indexOf('=');
                if (equals < 0) {
                    throw new IllegalArgumentException(
                            "parameters of a schedule are written name=value, got "
                                    + parameter.trim());
                }
                parameters.put(
                        parameter.substring(0, equals).trim(),
                        parameter.substring(equals + 1).trim());
            }
        }
        return matcher.group(1);
    }

    private double number(String parameter) {
        String value = value(parameter);
        try {
            double number = Double.parseDouble(value);
            if (number > 0 && Double.isFinite(number)) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(wrong(parameter, "a number above 0", value), e);
        }
        throw new IllegalArgumentException(wrong(parameter, "a number above 0", value));
    }

    private long whole(String parameter) {
        String value = value(parameter);
        if (!value.matches("[1-9]\\d{0,17}")) {
            throw new IllegalArgumentException(wrong(parameter, "a whole number above 0", value));
        }
        return Long.parseLong(value);
    }

    private String value(String parameter) {
        String value = parameters.remove(parameter);
        if (value == null) {
            throw new IllegalArgumentException(
                    "the schedule " + text.trim() + " needs " + parameter + "=…");
        }
        return value;
    }

    private static String wrong(String parameter, String right, String value) {
        return parameter + " of a schedule must be " + right + ", got " + value;
    }

    private IllegalArgumentException unknown() {
        return new IllegalArgumentException(
                ("unknown schedule %s; there are constant, step(every=…, factor=…), "
                                + "exponential(decay=…), inverse(decay=…), cosine and warmup(rounds=…) | …")
                        .formatted(text.trim()));
    }
}
