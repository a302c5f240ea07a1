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
 * The jobs' results under one policy.
 *
 * @param policy its name
 * @param jobs in order of arrival
 */
record Shared(String policy, List<Job> jobs) {
    private static final String TIMES = "times.csv";

    /**
     * The cluster's times of a job, in seconds since the first one was due.
     *
     * @param due when it was submitted, at the latest
     * @param finished when Flink had finished it
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
     * One job.
     *
     * @param times when it ran
     * @param summary its summary
     * @param rounds how its rounds ran
     */
    public record Job(Times times, Summary summary, MeasuredRounds rounds) {
        /** From its arrival to its end, in seconds. */
        public double jct() {
            return times.finished() - times.due();
        }

        /** Overhead besides its rounds per start, in seconds. */
        double pause() {
            return (jct() - rounds.seconds()) / (1 + times.restarts());
        }
    }

    /** Keeps the times beside the jobs' own folders. */
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
    public static Shared read(String policy, Path directory, List<Arrival> arrivals)
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
        return new Shared(policy, List.copyOf(jobs));
    }

    /** Mean time from a job's arrival to its end, in seconds. */
    public double averageJct() {
        return mean(Job::jct);
    }

    /** When the last job had ended. */
    public double makespan() {
        return jobs.stream().mapToDouble(job -> job.times().finished()).max().orElse(Double.NaN);
    }

    /** Of all jobs together. */
    public long restarts() {
        return jobs.stream().mapToLong(job -> job.times().restarts()).sum();
    }

    /** Mean over jobs. */
    public double accuracy() {
        return mean(job -> job.summary().finalAccuracy());
    }

    /** Typical time of a start in seconds; some jobs have also waited for a slot. */
    public double pause() {
        double[] pauses = jobs.stream().mapToDouble(Job::pause).sorted().toArray();
        return pauses[(pauses.length - 1) / 2];
    }

    private double mean(ToDoubleFunction<Job> value) {
        return jobs.stream().mapToDouble(value).average().orElse(Double.NaN);
    }
}
