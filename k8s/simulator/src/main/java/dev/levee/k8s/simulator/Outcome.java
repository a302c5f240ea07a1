package dev.levee.k8s.simulator;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The result of a simulation. Times are seconds of virtual time.
 *
 * @param policy name of the policy
 * @param workload name of the workload
 * @param jobs the jobs, in order of submission
 * @param timeline the cluster at every decision
 */
public record Outcome(String policy, String workload, List<Job> jobs, List<Point> timeline) {
    /**
     * The result of one job.
     *
     * @param id its name
     * @param arrival time of submission
     * @param started time at which it first got workers
     * @param finished time of its end
     * @param waited total time without workers
     * @param longestWait longest time without workers
     * @param restarts number of changes of its workers after its start
     * @param workerSeconds sum over time of workers × seconds
     * @param samples samples processed
     */
    public record Job(
            String id,
            double arrival,
            double started,
            double finished,
            double waited,
            double longestWait,
            int restarts,
            double workerSeconds,
            double samples) {
        /** Job completion time: from submission to end. */
        public double completionSeconds() {
            return finished - arrival;
        }
    }

    /**
     * The cluster at one moment.
     *
     * @param seconds the time
     * @param samplesPerSecond throughput of all jobs since the previous point
     * @param utilisation share of slots that are taken
     * @param running number of jobs with workers
     * @param waiting number of jobs without workers
     * @param finished number of jobs that have ended
     */
    public record Point(
            double seconds,
            double samplesPerSecond,
            double utilisation,
            int running,
            int waiting,
            int finished) {}

    /** Copies its arguments. */
    public Outcome {
        jobs = List.copyOf(jobs);
        timeline = List.copyOf(timeline);
    }

    /** Mean over jobs of the time from submission to end. */
    public double averageJctSeconds() {
        return mean(Job::completionSeconds);
    }

    /** The time from the first submission to the last end. */
    public double makespanSeconds() {
        double first = jobs.stream().mapToDouble(Job::arrival).min().orElseThrow();
        return jobs.stream().mapToDouble(Job::finished).max().orElseThrow() - first;
    }

    /** Mean over jobs of the time without workers. */
    public double averageQueueingSeconds() {
        return mean(Job::waited);
    }

    /** The longest time that a job was without workers. */
    public double longestWaitSeconds() {
        return jobs.stream().mapToDouble(Job::longestWait).max().orElseThrow();
    }

    /** Samples of all jobs, divided by the makespan. */
    public double averageThroughput() {
        return jobs.stream().mapToDouble(Job::samples).sum() / makespanSeconds();
    }

    /** Number of changes of workers, over all started jobs. */
    public int restarts() {
        return jobs.stream().mapToInt(Job::restarts).sum();
    }

    private double mean(ToDoubleFunction<Job> value) {
        return jobs.stream().mapToDouble(value).average().orElseThrow();
    }
}
