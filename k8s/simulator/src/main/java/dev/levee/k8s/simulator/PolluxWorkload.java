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
        /** A worker's share of the requested batch: what tuned jobs of the workload would have. */
        REQUESTED,
        /** The smallest batch that was validated, which Pollux starts most jobs with. */
        INITIAL
    }

    /**
     * A workload.
     *
     * @param file its jobs: name, time, application, num_replicas, batch_size
     * @param traces the folder with a folder of measurements for each application
     * @param schedule when jobs come
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
     * A fixed job has what the file says. An elastic one starts with one worker, and has neither
     * less nor, before it is scaled, more than its local batch.
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
                                LEARNING_RATE)),
                new JobSpec(
                        name,
                        Simulation.instant(arrival),
                        new JobBounds(
                                1, MOST_WORKERS, 1, initial, app.largestBatch(), LEARNING_RATE),
                        range(app, startBatch),
                        true),
                () -> new PolluxJob(app));
    }

    /** As in the artifact, ncf has one batch, the largest, if jobs are told what to use. */
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
