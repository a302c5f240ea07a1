package dev.levee.jobs.internal.config;

import dev.levee.operators.rounds.plan.BatchScaling;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The value of {@code --elastic}.
 *
 * @param min minimum number of active workers
 * @param max maximum number of active workers
 * @param maxBatch maximum number of samples per round over all workers, null if not given
 * @param scaling how larger batches change progress and the learning rate
 */
public record ElasticBounds(int min, int max, Long maxBatch, BatchScaling scaling) {
    private static final List<String> NAMES = List.of("min", "max", "max-batch");
    private static final String SCALING = "scaling";
    private static final Pattern SLOTS = Pattern.compile("min=([1-9]\\d{0,8}),max=([1-9]\\d{0,8})");

    /**
     * Reads {@code min=1,max=8,max-batch=512,scaling=adascale}; the last two are optional.
     *
     * @throws IllegalArgumentException if it has another form; one sentence
     */
    public static ElasticBounds parse(String text) {
        Map<String, Long> values = new LinkedHashMap<>();
        BatchScaling scaling = null;
        for (String part : text.split(",", -1)) {
            String[] pair = part.trim().split("=", -1);
            if (pair.length == 2 && pair[0].trim().equals(SCALING) && scaling == null) {
                scaling = BatchScaling.named(pair[1].trim()).orElseThrow(() -> wrong(text));
                continue;
            }
            boolean known = pair.length == 2 && NAMES.contains(pair[0].trim());
            if (!known || values.put(pair[0].trim(), whole(text, pair[1].trim())) != null) {
                throw wrong(text);
            }
        }
        if (!values.containsKey("min") || !values.containsKey("max")) {
            throw wrong(text);
        }
        return new ElasticBounds(
                Math.toIntExact(values.get("min")),
                Math.toIntExact(values.get("max")),
                values.get("max-batch"),
                scaling == null ? BatchScaling.ADASCALE : scaling);
    }

    /**
     * Reads {@code min=1,max=8}, the bounds of a job without batches.
     *
     * @throws IllegalArgumentException if it has another form; one sentence
     */
    public static ElasticBounds ofSlots(String text) {
        Matcher matcher = SLOTS.matcher(text);
        if (!matcher.matches()
                || Integer.parseInt(matcher.group(1)) > Integer.parseInt(matcher.group(2))) {
            throw new IllegalArgumentException(
                    "--elastic must be like min=1,max=8, with a min of at most max, got " + text);
        }
        return new ElasticBounds(
                Integer.parseInt(matcher.group(1)),
                Integer.parseInt(matcher.group(2)),
                null,
                BatchScaling.LINEAR);
    }

    private static long whole(String text, String digits) {
        if (!digits.matches("[1-9]\\d{0,8}")) {
            throw wrong(text);
        }
        return Long.parseLong(digits);
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException(
                "--elastic must be like min=1,max=8,max-batch=512,scaling=adascale, with a scaling"
                        + " of adascale, linear or sqrt, got "
                        + text);
    }
}
