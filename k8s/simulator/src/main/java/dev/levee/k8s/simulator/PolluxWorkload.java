package dev.levee.k8s.simulator;

import dev.levee.k8s.allocator.BatchRange;
import dev.levee.k8s.allocator.JobBounds;
import dev.levee.k8s.allocator.JobSpec;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads workloads of the Pollux artifact. */
public final class PolluxWorkload {
    private static final int MOST_WORKERS = 64;
    private static final double LEARNING_RATE = 0.1;

    private PolluxWorkload() {}

    /** The local batch that elastic jobs start with. */
    public enum StartBatch {
        /** A worker's share of the requested batch, as for jobs that their users have tuned. */
        REQUESTED,
        /** The smallest validated batch, with which Pollux starts most jobs. */
        INITIAL
    }

    /**
     * Reads a workload.
     *
     * @param file the file of jobs, with columns name, time, application, num_replicas, batch_size
     * @param traces a folder with a subfolder of measurements for each application
     * @param schedule the times of submission
     * @param startBatch the local batch of elastic jobs
     * @throws IllegalArgumentException if something is missing or malformed; one sentence
     */
    public static Workload read(
            Path file, Path traces, SubmissionSchedule schedule, StartBatch startBatch)
            throws IOException {
        Map<String, PolluxApplication> applications = new HashMap<>();
        List<String[]> rows = Csv.rows(file, 5);
        List<Double> times = new ArrayList<>();
        for (String[] row : rows) {
            times.add(number(file, row[1]));
            if (!applications.containsKey(row[2])) {
                applications.put(row[2], PolluxApplication.read(traces, row[2]));
            }
        }
        double[] arrivals = schedule.arrivals(rows.size(), times);
        List<Submission> jobs = new ArrayList<>();
        for (int i = 0; i < arrivals.length; i++) {
            String[] row = rows.get(i);
            jobs.add(
                    submission(
                            row[0],
                            arrivals[i],
                            applications.get(row[2]),
                            (int) number(file, row[3]),
                            (int) number(file, row[4]),
                            startBatch));
        }
        String name = file.getFileName().toString().replaceAll("\\.csv$", "");
        Path parent = file.toAbsolutePath().getParent();
        return new Workload(parent == null ? name : parent.getFileName() + "/" + name, jobs);
    }

    /**
     * Creates the fixed and the elastic version of a job. The fixed job has the values of the file.
     * The elastic job starts with one worker and its initial local batch.
     */
    private static Submission submission(
            String name,
            double arrival,
            PolluxApplication app,
            int workers,
            int batch,
            StartBatch startBatch) {
        int local = (batch + workers - 1) / workers;
        int first = startBatch == StartBatch.REQUESTED ? local : app.initialBatch();
        int initial = Math.min(first, app.largestLocalBatch());
        return new Submission(
                new JobSpec(
                        name,
                        Simulation.instant(arrival),
                        new JobBounds(
                                workers,
                                workers,
                                workers,
                                local,
                                (long) workers * local,
                                LEARNING_RATE),
                        new BatchRange(app.initialBatch(), local, app.largestLocalBatch(), true),
                        true),
                new JobSpec(
                        name,
                        Simulation.instant(arrival),
                        new JobBounds(
                                1, MOST_WORKERS, 1, initial, app.largestBatch(), LEARNING_RATE),
                        range(app, startBatch),
                        true),
                () -> new PolluxJob(app));
    }

    /**
     * The batches of an elastic job. As in the artifact, ncf has only the largest batch if jobs
     * start with the requested batch.
     */
    private static BatchRange range(PolluxApplication app, StartBatch startBatch) {
        boolean told = app.name().equals("ncf") && startBatch == StartBatch.REQUESTED;
        return new BatchRange(
                app.initialBatch(),
                told ? app.largestBatch() : app.smallestLocalBatch(),
                app.largestLocalBatch(),
                true);
    }

    private static double number(Path file, String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(file + ": " + text + " is not a number", e);
        }
    }
}
