package dev.levee.jobs.internal.audit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * One worker's history in the rounds of a log. Distances and losses are relative to the median of
 * their round, and their logarithms are averaged, so a worker like all others has 1.
 *
 * @param worker its id
 * @param asked rounds in which it took part
 * @param refused rounds in which its contribution had no weight: it did not come in time, was
 *     proven faulty, or the rule left it out
 * @param faults rounds in which it was proven faulty or missing when the time was over
 * @param distance geometric mean of its relative distances; NaN if there are none
 * @param low lower end of the 95 % interval of that mean
 * @param high upper end
 * @param jumps rounds in which it was much farther from the others than in its rounds before, in
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
    /** Standard errors of a 95 % interval. */
    private static final double STANDARD_ERRORS = 1.96;

    /** The weight of the past falls by a factor of e in 1 / this many rounds. */
    private static final double FORGETS = 0.1;

    /** Rounds from which a history begins. */
    private static final int FIRST = 20;

    /** Mean absolute deviations by which a jump is above the history. */
    private static final double DEVIATIONS = 6;

    /** A jump is at least so much: a fifth farther than before. */
    private static final double LEAST = Math.log(1.2);

    /** A deviation says so much of the history at most, so that lies do not become usual. */
    private static final double CLIPPED = 3;

    /** The share of its rounds that had no use of it. */
    public double refusedShare() {
        return asked == 0 ? 0 : (double) refused / asked;
    }

    /** Collects a worker's entries of a log, round after round. */
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

        /** Logarithm of its relative distance. */
        void distance(long round, double value) {
            rounds.add(round);
            distances.add(value);
        }

        /** Logarithm of its relative loss. */
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

        /** Compares each round to an exponentially weighted mean of those before it. */
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

    /** The middle of some numbers, the mean of the two middle ones of an even number. */
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
