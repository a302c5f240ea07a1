package dev.levee.jobs.internal.run;

import dev.levee.jobs.internal.config.Deployment;
import dev.levee.jobs.internal.run.follow.Terminal;

import org.apache.flink.core.execution.JobClient;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The jobs that a command has submitted, including one whose submission is in progress. The command
 * cancels them when it is interrupted.
 */
public final class SubmittedJobs {
    /** How long to wait after an interruption; shorter than at the start. */
    static final Duration LAST_PATIENCE = Duration.ofSeconds(15);

    private final List<JobClient> jobs = new ArrayList<>();
    private boolean submitting;
    private boolean closed;

    /**
     * Submits a job.
     *
     * @throws CancellationException if {@link #close} was called
     */
    public void submit(Callable<JobClient> submission) throws Exception {
        synchronized (this) {
            if (closed) {
                throw new CancellationException("no more jobs are submitted");
            }
            submitting = true;
        }
        JobClient job = null;
        try {
            job = submission.call();
        } finally {
            submitted(job);
        }
    }

    private synchronized void submitted(JobClient job) {
        submitting = false;
        if (job != null) {
            jobs.add(job);
        }
        notifyAll();
    }

    /** The jobs that were submitted so far. */
    public synchronized List<JobClient> all() {
        return List.copyOf(jobs);
    }

    /** The id of the first job, null if there is none. */
    public synchronized String first() {
        return jobs.isEmpty() ? null : jobs.get(0).getJobID().toString();
    }

    /**
     * Stops further submissions.
     *
     * @return true if a submission is in progress
     */
    public synchronized boolean close() {
        closed = true;
        return submitting;
    }

    /**
     * Cancels all jobs, after {@link #close}. First waits for the answer to a submission in
     * progress, because the request cannot be withdrawn.
     *
     * @param patience longest time to wait for that answer, and for each job
     * @throws Exception if a job may still run; the others are canceled first
     */
    void cancel(Duration patience) throws Exception {
        Exception failure =
                awaitSubmission(patience)
                        ? null
                        : new TimeoutException(
                                "the cluster did not report within %d s whether it runs a job"
                                        .formatted(patience.toSeconds()));
        for (JobClient job : all()) {
            try {
                cancel(job, patience);
            } catch (ExecutionException | TimeoutException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /**
     * Stops further submissions. If the cluster outlives this process, waits for its answer to a
     * submission in progress.
     *
     * @param terminal is told if there is something to wait for
     */
    public void awaitLast(Deployment deployment, Terminal terminal) throws InterruptedException {
        if (close() && !deployment.embedded()) {
            terminal.say("Interrupted. Waiting for the cluster's answer to a job's submission.");
            awaitSubmission(LAST_PATIENCE);
        }
    }

    /**
     * Waits for the answer to a submission in progress.
     *
     * @return false if it did not come in time
     */
    public synchronized boolean awaitSubmission(Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (submitting) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return true;
    }

    private static void cancel(JobClient job, Duration patience)
            throws InterruptedException, ExecutionException, TimeoutException {
        try {
            job.cancel().get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            // A job that is over cannot be canceled and need not be.
            if (!job.getJobStatus()
                    .get(patience.toMillis(), TimeUnit.MILLISECONDS)
                    .isGloballyTerminalState()) {
                throw e;
            }
        }
    }
}
