package dev.levee.benchmarks.sharing;

import dev.levee.jobs.internal.report.RunFiles;
import dev.levee.jobs.internal.report.summary.Summary;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The results of all jobs under one policy.
 *
 * @param policy name of the policy
 * @param jobs in order of arrival
 */
record PolicyResult(String policy, List<Job> jobs) {
    private static final String TIMES = "times.csv";

    /**
     * The times of a job on the cluster, in seconds since the first arrival.
     *
     * @param due latest time of its submission
     * @param finished time at which Flink had finished it
     * @param restarts number of restarts, including rescalings
     */
    public record Times(double due, double finished, long restarts) {
        private static Times parse(String line) {
            String[] columns = line.split(",");
            return new Times(
                    Double.parseDouble(columns[0]),
                    Double.parseDouble(columns[1]),
                    Long.parseLong(columns[2]));
        }

        private String line() {
            return "%s,%s,%d".formatted(due, finished, restarts);
        }
    }

    /**
     * The results of one job.
     *
     * @param times when it ran
     * @param summary its summary
     * @param rounds the durations of its rounds
     */
    public record Job(Times times, Summary summary, MeasuredRounds rounds) {
        /** Completion time: from the arrival to the end, in seconds. */
        public double jct() {
            return times.finished() - times.due();
        }

        /** Mean overhead of a start in seconds: all time except that of rounds. */
        double pause() {
            return (jct() - rounds.seconds()) / (1 + times.restarts());
        }
    }

    /** Writes the times next to the jobs' own folders. */
    static void write(Path directory, List<Times> times) throws IOException {
        List<String> lines = new ArrayList<>(List.of("due,finished,restarts"));
        times.forEach(each -> lines.add(each.line()));
        Files.write(directory.resolve(TIMES), lines);
    }

    /**
     * Reads the results of a policy's jobs.
     *
     * @param directory the directory of {@link Sharing}
     * @throws IOException if a job has no results
     */
    public static PolicyResult read(String policy, Path directory, List<Arrival> arrivals)
            throws IOException {
        List<String> lines = Files.readAllLines(directory.resolve(TIMES));
        List<Job> jobs = new ArrayList<>();
        for (int job = 0; job < arrivals.size(); job++) {
            Path folder = directory.resolve(arrivals.get(job).name());
            Summary summary =
                    new RunFiles(folder.toString())
                            .summary()
                            .orElseThrow(() -> new IOException(folder + " has no summary.json"));
            jobs.add(
                    new Job(
                            Times.parse(lines.get(job + 1)),
                            summary,
                            MeasuredRounds.read(folder.resolve("metrics.csv"))));
        }
        return new PolicyResult(policy, List.copyOf(jobs));
    }

    /** The mean completion time of the jobs in seconds. */
    public double averageJct() {
        return mean(Job::jct);
    }

    /** The time at which the last job had ended. */
    public double makespan() {
        return jobs.stream().mapToDouble(job -> job.times().finished()).max().orElse(Double.NaN);
    }

    /** The number of restarts of all jobs. */
    public long restarts() {
        return jobs.stream().mapToLong(job -> job.times().restarts()).sum();
    }

    /** The mean accuracy of the jobs. */
    public double accuracy() {
        return mean(job -> job.summary().finalAccuracy());
    }

    /** The typical time of a start in seconds; for some jobs it includes waiting for a slot. */
    public double pause() {
        double[] pauses = jobs.stream().mapToDouble(Job::pause).sorted().toArray();
        return pauses[(pauses.length - 1) / 2];
    }

    private double mean(ToDoubleFunction<Job> value) {
        return jobs.stream().mapToDouble(value).average().orElse(Double.NaN);
    }
}
