package dev.levee.benchmarks.sharing;

import dev.levee.k8s.allocator.Measurement;

import java.util.List;

/**
 * What became of the jobs under one policy.
 *
 * @param policy its name
 * @param jobs in order of arrival
 */
public record Shared(String policy, List<Job> jobs) {
    /**
     * One job; times are seconds since the first one was due.
     *
     * @param due when it was submitted, at the latest
     * @param finished when Flink had finished it
     * @param restarts how often it was restarted, each rescaling included
     * @param accuracy of its final model
     * @param measured how its rounds ran, in each configuration that the allocator measured
     * @param noiseScale of its gradient at the end; NaN if it was not known
     */
    public record Job(
            double due,
            double finished,
            long restarts,
            double accuracy,
            List<Measurement> measured,
            double noiseScale) {}

    /** Mean time from a job's arrival to its end, in seconds. */
    public double averageJct() {
        return mean(jobs.stream().mapToDouble(job -> job.finished() - job.due()).toArray());
    }

    /** When the last job had ended. */
    public double makespan() {
        return jobs.stream().mapToDouble(Job::finished).max().orElse(Double.NaN);
    }

    /** Of all jobs together. */
    public long restarts() {
        return jobs.stream().mapToLong(Job::restarts).sum();
    }

    /** Mean over jobs. */
    public double accuracy() {
        return mean(jobs.stream().mapToDouble(Job::accuracy).toArray());
    }

    private static double mean(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum / values.length;
    }
}
