package dev.levee.k8s.flink;

import dev.levee.k8s.allocator.BatchRange;
import dev.levee.k8s.allocator.JobBounds;
import dev.levee.k8s.allocator.JobSpec;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The request of an elastic job. It is in the job's configuration and, in short form, in the job's
 * name, because the name is all that Flink shows of a job that waits for slots.
 *
 * @param bounds limits of its workers and samples, and its size at the start
 * @param countsProgress true if the job counts progress instead of samples; its batch may then also
 *     decrease, and the job adapts its learning rate itself
 * @param microBatch maximum samples that a worker computes at once; larger batches take several
 *     passes. 0 for no limit
 * @param tasks name of the operator that counts the tasks of a job without rounds ({@link
 *     #ofTasks}); null for a training
 */
public record ElasticRequest(
        JobBounds bounds, boolean countsProgress, int microBatch, String tasks) {
    /** Prefix of the request's keys in a job's configuration. */
    public static final String PREFIX = "levee.elastic.";

    /** Key for the URI of the job's control file. */
    public static final String CONTROL = PREFIX + "control";

    private static final String MIN = "min";
    private static final String MAX = "max";
    private static final String START = "start";
    private static final String BATCH = "batch";
    private static final String MAX_BATCH = "max-batch";
    private static final String RATE = "learning-rate";
    private static final String PROGRESS = "progress";
    private static final String MICRO_BATCH = "micro-batch";

    private static final String TASKS = "tasks";

    private static final Pattern IN_NAME = Pattern.compile(" \\[elastic: ([^\\]]*)\\]$");

    /** The request of a training. */
    public ElasticRequest(JobBounds bounds, boolean countsProgress, int microBatch) {
        this(bounds, countsProgress, microBatch, null);
    }

    /**
     * The request of a job of many independent tasks, such as fits. Each of its slots runs tasks
     * one after the other. For the allocator, a slot is a worker, a task is a sample, and a batch
     * is one task per worker, so there is no batch to choose and no learning rate.
     *
     * @param min fewest slots
     * @param max most slots
     * @param start slots that it starts with
     * @param operator name of the operator whose subtasks have the metrics of {@link TaskMetrics}
     */
    public static ElasticRequest ofTasks(int min, int max, int start, String operator) {
        return new ElasticRequest(
                new JobBounds(min, max, start, 1, max, Double.NaN), false, 0, operator);
    }

    /**
     * Reads the request from a job's configuration; empty if the job does not take part.
     *
     * @throws IllegalArgumentException if the request is invalid; one sentence
     */
    public static Optional<ElasticRequest> inConfiguration(Map<String, String> configuration) {
        Map<String, String> values = new LinkedHashMap<>();
        configuration.forEach(
                (key, value) -> {
                    if (key.startsWith(PREFIX)) {
                        values.put(key.substring(PREFIX.length()), value);
                    }
                });
        return values.containsKey(MAX) ? Optional.of(read(values)) : Optional.empty();
    }

    /**
     * Reads the request from a job's name; empty if the job does not take part.
     *
     * @throws IllegalArgumentException if the request is invalid; one sentence
     */
    public static Optional<ElasticRequest> inName(String name) {
        Matcher matcher = IN_NAME.matcher(name);
        if (!matcher.find()) {
            return Optional.empty();
        }
        Map<String, String> values = new LinkedHashMap<>();
        for (String each : matcher.group(1).split(", ")) {
            int equals = each.indexOf('=');
            values.put(each.substring(0, Math.max(0, equals)), each.substring(equals + 1));
        }
        return Optional.of(read(values));
    }

    private static ElasticRequest read(Map<String, String> values) {
        if (values.containsKey(TASKS)) {
            return ofTasks(
                    whole(values, MIN),
                    whole(values, MAX),
                    whole(values, START),
                    values.get(TASKS));
        }
        return new ElasticRequest(
                new JobBounds(
                        whole(values, MIN),
                        whole(values, MAX),
                        whole(values, START),
                        whole(values, BATCH),
                        whole(values, MAX_BATCH, Long.MAX_VALUE),
                        rate(values)),
                Boolean.parseBoolean(values.get(PROGRESS)),
                values.containsKey(MICRO_BATCH) ? whole(values, MICRO_BATCH) : 0);
    }

    private static int whole(Map<String, String> values, String key) {
        return (int) whole(values, key, Integer.MAX_VALUE);
    }

    private static long whole(Map<String, String> values, String key, long most) {
        number(values, key);
        try {
            long number = new BigDecimal(values.get(key).trim()).longValueExact();
            if (number >= 0 && number <= most) {
                return number;
            }
        } catch (ArithmeticException | NumberFormatException e) {
            // Reported below, like numbers out of range.
        }
        throw new IllegalArgumentException(
                "%s%s must be a whole number from 0 to %d, got %s"
                        .formatted(PREFIX, key, most, values.get(key)));
    }

    private static double rate(Map<String, String> values) {
        double rate = number(values, RATE);
        if (!(rate >= 0) || Double.isInfinite(rate)) {
            throw nonsense(values, RATE);
        }
        return rate;
    }

    private static double number(Map<String, String> values, String key) {
        try {
            return Double.parseDouble(values.getOrDefault(key, ""));
        } catch (NumberFormatException e) {
            throw nonsense(values, key);
        }
    }

    private static IllegalArgumentException nonsense(Map<String, String> values, String key) {
        return new IllegalArgumentException(
                "%s%s must be a number, got %s"
                        .formatted(PREFIX, key, values.getOrDefault(key, "nothing")));
    }

    /** The suffix of the job's name that holds the request. */
    public String nameSuffix() {
        StringBuilder text = new StringBuilder();
        values().forEach((key, value) -> text.append(", ").append(key).append('=').append(value));
        return " [elastic: " + text.substring(2) + "]";
    }

    /** The entries of the job's configuration that hold the request. */
    public Map<String, String> configuration() {
        Map<String, String> entries = new LinkedHashMap<>();
        values().forEach((key, value) -> entries.put(PREFIX + key, value));
        return entries;
    }

    private Map<String, String> values() {
        Map<String, String> values = new LinkedHashMap<>();
        values.put(MIN, String.valueOf(bounds.minWorkers()));
        values.put(MAX, String.valueOf(bounds.maxWorkers()));
        values.put(START, String.valueOf(bounds.startWorkers()));
        if (tasks != null) {
            values.put(TASKS, tasks);
            return values;
        }
        values.put(BATCH, String.valueOf(bounds.localBatch()));
        values.put(MAX_BATCH, String.valueOf(bounds.maxGlobalBatch()));
        values.put(RATE, String.valueOf(bounds.learningRate()));
        if (countsProgress) {
            values.put(PROGRESS, "true");
        }
        if (microBatch > 0) {
            values.put(MICRO_BATCH, String.valueOf(microBatch));
        }
        return values;
    }

    /**
     * Converts the request for the allocator, for a job that cannot be paused.
     *
     * @throws IllegalArgumentException if bounds contradict each other; one sentence
     */
    public JobSpec spec(String id, Instant submitted) {
        return spec(id, submitted, false);
    }

    /**
     * Converts the request for the allocator.
     *
     * @param pausable true if the job can be stopped and continue later
     * @throws IllegalArgumentException if bounds contradict each other; one sentence
     */
    public JobSpec spec(String id, Instant submitted, boolean pausable) {
        return new JobSpec(id, submitted, bounds, batches(), pausable);
    }

    private BatchRange batches() {
        if (tasks != null) {
            return new BatchRange(1, 1, 1, false);
        }
        return new BatchRange(
                Math.max(1, bounds.startBatch()),
                Math.max(1, countsProgress ? 1 : bounds.localBatch()),
                microBatch > 0 ? microBatch : Integer.MAX_VALUE,
                microBatch > 0);
    }
}
