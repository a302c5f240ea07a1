package dev.levee.jobs.internal.audit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * One worker's history in the rounds of a log. Distances and losses are relative to the median of
 * their round, and their logarithms are averaged, so a worker like all others has the mean 1.
 *
 * @param worker the worker's id
 * @param asked rounds in which it took part
 * @param refused rounds in which its contribution had no weight: it was late, proven faulty, or
 *     left out by the rule
 * @param faults rounds in which it was proven faulty, or missing at the deadline
 * @param distance geometric mean of its relative distances; NaN if there are none
 * @param low lower end of the 95 % interval of that mean
 * @param high upper end of the interval
 * @param jumps rounds in which it was much farther from the others than in its earlier rounds, in
 *     order
 * @param loss geometric mean of its relative losses; NaN if there are none
 */
record WorkerHistory(
        int worker,
        long asked,
        long refused,
        long faults,
        double distance,
        double low,
        double high,
        List<Long> jumps,
        double loss) {
    /** Half the width of a 95 % interval, in standard errors. */
    private static final double STANDARD_ERRORS = 1.96;

    /** Weight of the newest round in the moving averages. */
    private static final double FORGETS = 0.1;

    /** The first this many rounds set the initial averages. */
    private static final int FIRST = 20;

    /** A jump is at least this many mean absolute deviations above the average. */
    private static final double DEVIATIONS = 6;

    /** A jump is at least this large, as a logarithm: a fifth farther than the average. */
    private static final double LEAST = Math.log(1.2);

    /** Deviations enter the averages up to this multiple, so that outliers do not become usual. */
    private static final double CLIPPED = 3;

    /** Share of the worker's rounds in which its contribution had no weight. */
    public double refusedShare() {
        return asked == 0 ? 0 : (double) refused / asked;
    }

    /** Collects one worker's entries of a log, round by round. */
    static final class Builder {
        private final int worker;
        private long asked;
        private long refused;
        private long faults;
        private final List<Long> rounds = new ArrayList<>();
        private final List<Double> distances = new ArrayList<>();
        private final List<Double> losses = new ArrayList<>();

        Builder(int worker) {
            this.worker = worker;
        }

        void asked(boolean used, boolean fault) {
            asked++;
            refused += used ? 0 : 1;
            faults += fault ? 1 : 0;
        }

        /** Adds a round's relative distance, as its logarithm. */
        void distance(long round, double value) {
            rounds.add(round);
            distances.add(value);
        }

        /** Adds a round's relative loss, as its logarithm. */
        void loss(double value) {
            losses.add(value);
        }

        WorkerHistory build() {
            double mean = mean(distances);
            double squares =
                    distances.stream().mapToDouble(each -> (each - mean) * (each - mean)).sum();
            int count = distances.size();
            double error =
                    count < 2
                            ? Double.POSITIVE_INFINITY
                            : STANDARD_ERRORS * Math.sqrt(squares / (count - 1) / count);
            return new WorkerHistory(
                    worker,
                    asked,
                    refused,
                    faults,
                    Math.exp(mean),
                    Math.exp(mean - error),
                    Math.exp(mean + error),
                    jumps(),
                    Math.exp(mean(losses)));
        }

        private static double mean(List<Double> values) {
            return values.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
        }

        /**
         * Finds rounds that lie far above an exponentially weighted mean of the rounds before them.
         */
        private List<Long> jumps() {
            if (distances.isEmpty()) {
                return List.of();
            }
            List<Double> first = distances.subList(0, Math.min(FIRST, distances.size()));
            double usual = median(first);
            double start = usual;
            double deviation = median(first.stream().map(each -> Math.abs(each - start)).toList());
            List<Long> jumps = new ArrayList<>();
            for (int i = 0; i < distances.size(); i++) {
                double above = distances.get(i) - usual;
                if (above > Math.max(LEAST, DEVIATIONS * deviation)) {
                    jumps.add(rounds.get(i));
                }
                double most = CLIPPED * Math.max(deviation, LEAST / DEVIATIONS);
                double clipped = Math.max(-most, Math.min(most, above));
                usual += FORGETS * clipped;
                deviation += FORGETS * (Math.abs(clipped) - deviation);
            }
            return Collections.unmodifiableList(jumps);
        }
    }

    /** The median; with an even number of values, the mean of the two middle ones. */
    static double median(List<Double> values) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return sorted.length == 0
                ? Double.NaN
                : Arrays.stream(sorted)
                        .skip((sorted.length - 1) / 2)
                        .limit(2 - sorted.length % 2)
                        .average()
                        .orElseThrow();
    }
}
