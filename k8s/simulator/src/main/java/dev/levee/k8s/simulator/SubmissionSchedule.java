package dev.levee.k8s.simulator;

import java.util.List;
import java.util.Random;

/** The times at which jobs are submitted. */
public interface SubmissionSchedule {
    /**
     * Times of all submissions in seconds, ascending.
     *
     * @param jobs number of jobs
     * @param recorded times in the workload's file; empty if there is no file
     */
    double[] arrivals(int jobs, List<Double> recorded);

    /**
     * A schedule by its name: {@code csv}, {@code poisson}, {@code all-at-once} or {@code fixed}.
     *
     * @param interval seconds between submissions; their mean if they are random
     * @param seed seed of random times
     * @throws IllegalArgumentException if there is no schedule of that name; one sentence
     */
    static SubmissionSchedule named(String name, double interval, long seed) {
        return switch (name) {
            case "csv" -> SubmissionSchedule::recorded;
            case "all-at-once" -> (jobs, recorded) -> new double[jobs];
            case "fixed" ->
                    (jobs, recorded) -> {
                        double[] times = new double[jobs];
                        for (int i = 0; i < jobs; i++) {
                            times[i] = i * interval;
                        }
                        return times;
                    };
            case "poisson" -> (jobs, recorded) -> poisson(jobs, interval, new Random(seed));
            default ->
                    throw new IllegalArgumentException(
                            "unknown schedule %s: known are csv, poisson, all-at-once, fixed"
                                    .formatted(name));
        };
    }

    private static double[] recorded(int jobs, List<Double> recorded) {
        if (recorded.size() != jobs) {
            throw new IllegalArgumentException(
                    "the schedule csv needs a workload file: choose poisson, all-at-once or fixed");
        }
        return recorded.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static double[] poisson(int jobs, double interval, Random random) {
        double[] times = new double[jobs];
        for (int i = 1; i < jobs; i++) {
            times[i] = times[i - 1] - interval * StrictMath.log(1 - random.nextDouble());
        }
        return times;
    }
}
