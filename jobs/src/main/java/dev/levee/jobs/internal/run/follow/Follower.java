package dev.levee.jobs.internal.run.follow;

import dev.levee.federated.privacy.PrivacyLoss;
import dev.levee.jobs.internal.run.follow.JobProgress.Snapshot;
import dev.levee.k8s.flink.rest.FlinkRest;

import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.core.execution.JobClient;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Follows jobs until they end, and reports their progress. */
public final class Follower {
    /** After this many queries without an answer, the user is told. */
    private static final int MISSED = 2;

    /** Receives the progress of jobs. */
    @FunctionalInterface
    public interface Listener {
        /**
         * Called when a job has made progress.
         *
         * @param job index among the followed jobs
         */
        void moved(int job, Snapshot now);
    }

    private final FlinkRest rest;
    private final List<String> rules;
    private final long rounds;
    private final Terminal terminal;
    private final Listener listener;
    private final WaitingCause cause;
    private final List<JobClient> clients = new ArrayList<>();
    private final List<JobProgress> progress = new ArrayList<>();
    private final List<FollowedJob> jobs = new ArrayList<>();
    private final WaitingCause slots =
            new WaitingCause(
                    () -> Optional.ofNullable(this.standing).flatMap(MissingSlots::sentence));
    private volatile MissingSlots standing;
    private int missed;

    public Follower(
            FlinkRest rest,
            List<String> rules,
            long rounds,
            Terminal terminal,
            Listener listener,
            WaitingCause cause) {
        this.rest = rest;
        this.rules = rules;
        this.rounds = rounds;
        this.terminal = terminal;
        this.listener = listener;
        this.cause = cause;
    }

    /**
     * Adds a job to follow.
     *
     * @param privacy bound on what the run reveals about a device, null if there is none
     * @param guessingLoss training loss of a model that guesses, null if unknown
     */
    public void add(JobClient job, PrivacyLoss privacy, Double guessingLoss) {
        String rule = rules.get(jobs.size());
        double guessing = guessingLoss == null ? Double.NaN : guessingLoss;
        clients.add(job);
        progress.add(new JobProgress(rest, job.getJobID().toString(), privacy));
        jobs.add(new FollowedJob(rule, rounds, guessing, System::nanoTime));
    }

    /** Waits until all jobs end, and returns their results in the order of the jobs. */
    public List<CompletableFuture<JobExecutionResult>> untilAllEnd() throws Exception {
        List<CompletableFuture<JobExecutionResult>> ends =
                clients.stream().map(client -> JobEnd.of(rest, client)).toList();
        CompletableFuture<?> all =
                CompletableFuture.allOf(
                        ends.stream()
                                .map(end -> end.handle((result, failure) -> 0))
                                .toArray(CompletableFuture<?>[]::new));
        while (!all.isDone()) {
            try {
                all.get(terminal.pauseMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                look();
                List<Boolean> waiting = jobs.stream().map(FollowedJob::waits).toList();
                List<Snapshot> snapshots = jobs.stream().map(FollowedJob::snapshot).toList();
                cause.look(waiting.contains(true)).ifPresent(terminal::say);
                standing = standing();
                slots.look(standing != null).ifPresent(terminal::say);
                terminal.progress(ProgressLine.of(rules, snapshots, waiting, rounds));
            }
        }
        return ends;
    }

    private void look() {
        for (int i = 0; i < jobs.size(); i++) {
            FollowedJob job = jobs.get(i);
            try {
                job.look(progress.get(i).now(), rest.address()).forEach(terminal::say);
            } catch (IOException e) {
                // busy or restarting; the next query will succeed
                missed++;
                if (missed == MISSED) {
                    terminal.say(
                            "The cluster at %s does not answer; waiting for it to come back"
                                    .formatted(rest.address()));
                }
                continue;
            }
            missed = 0;
            if (job.reports()) {
                listener.moved(i, job.snapshot());
            }
        }
    }

    /** Returns a check of missing slots for the first job that stands still; null if none does. */
    private MissingSlots standing() {
        for (int i = 0; i < jobs.size(); i++) {
            if (jobs.get(i).stands()) {
                String job = clients.get(i).getJobID().toString();
                return new MissingSlots(rest, rules.get(i), job);
            }
        }
        return null;
    }
}
