package dev.levee.jobs.internal.run.follow;

import dev.levee.federated.privacy.PrivacyLoss;
import dev.levee.jobs.internal.report.page.Stall;
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

/** Follows jobs until they end, saying how far they are. */
public final class Follower {
    /** A round that takes longer waits for a participant; what is shown may be two looks old. */
    private static final long PATIENCE_NANOS = 2 * Terminal.LINE_MILLIS * 1_000_000 + 2_000_000_000;

    /** After so many looks without an answer the user is told. */
    private static final int MISSED = 2;

    /** Hears how far jobs are. */
    @FunctionalInterface
    public interface Listener {
        /**
         * A job has gone on.
         *
         * @param job its place among those that are followed
         */
        void moved(int job, Snapshot now);
    }

    private final FlinkRest rest;
    private final List<String> rules;
    private final long rounds;
    private final Terminal terminal;
    private final Listener listener;
    private final WaitingCause cause;
    private final List<JobClient> jobs = new ArrayList<>();
    private final List<JobProgress> progress = new ArrayList<>();
    private final List<Snapshot> snapshots = new ArrayList<>();
    private final List<LearningWatch> learning = new ArrayList<>();
    private final List<Long> movedAt = new ArrayList<>();
    private final List<Double> saidAt = new ArrayList<>();
    private final List<Long> toldAt = new ArrayList<>();
    private final WaitingCause slots =
            new WaitingCause(
                    () -> Optional.ofNullable(this.unstarted).flatMap(MissingSlots::sentence));
    private volatile MissingSlots unstarted;
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
     * Follows one more job.
     *
     * @param privacy the bound on what the run reveals of a device, null if there is none
     * @param guessingLoss training loss of a model that guesses, null if unknown
     */
    public void add(JobClient job, PrivacyLoss privacy, Double guessingLoss) {
        jobs.add(job);
        learning.add(new LearningWatch(guessingLoss == null ? Double.NaN : guessingLoss, rounds));
        progress.add(new JobProgress(rest, job.getJobID().toString(), privacy));
        snapshots.add(Snapshot.NOTHING);
        movedAt.add(System.nanoTime());
        toldAt.add(System.nanoTime());
        saidAt.add(Double.NaN);
    }

    /** Waits for all ends, and returns them in the order of the jobs. */
    public List<CompletableFuture<JobExecutionResult>> untilAllEnd() throws Exception {
        List<CompletableFuture<JobExecutionResult>> ends =
                jobs.stream().map(job -> JobEnd.of(rest, job)).toList();
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
                List<Boolean> waiting = waiting();
                cause.look(waiting.contains(true)).ifPresent(terminal::say);
                unstarted = unstarted();
                slots.look(unstarted != null).ifPresent(terminal::say);
                terminal.progress(ProgressLine.of(rules, snapshots, waiting, rounds));
            }
        }
        return ends;
    }

    private void look() {
        for (int i = 0; i < progress.size(); i++) {
            String rule = rules.get(i);
            Snapshot before = snapshots.get(i);
            Snapshot now;
            try {
                now = progress.get(i).now();
            } catch (IOException e) {
                // It is busy or restarting; the next look will tell.
                missed++;
                if (missed == MISSED) {
                    terminal.say(
                            "The cluster at %s does not answer; waiting for it to come back"
                                    .formatted(rest.address()));
                }
                continue;
            }
            missed = 0;
            Snapshot next = Double.isNaN(now.round()) ? before.in(now.status()) : now;
            if (now.status().equals("RESTARTING")
                    && !before.status().equals("RESTARTING")
                    && !saidAt.get(i).equals(next.round())) {
                saidAt.set(i, next.round());
                terminal.say(
                        "%s restarts from its newest checkpoint after a failure; see %s"
                                .formatted(rule, rest.address()));
            }
            if (Double.compare(next.round(), before.round()) != 0) { // NaN before the first
                movedAt.set(i, System.nanoTime());
            }
            snapshots.set(i, next);
            learning.get(i).look(next.round(), next.loss()).ifPresent(stall -> say(rule, stall));
            tell(i);
        }
    }

    private void say(String rule, Stall stall) {
        terminal.say(
                "%s %s. If workers attack, try another --aggregator; otherwise, try a tenth of the learning rate."
                        .formatted(rule, stall.words()));
    }

    /** Prints at most as often as a line is due, however often the terminal changes. */
    private void tell(int job) {
        long now = System.nanoTime();
        if (movedAt.get(job) > toldAt.get(job)
                && now - toldAt.get(job) > TimeUnit.MILLISECONDS.toNanos(Terminal.LINE_MILLIS)) {
            toldAt.set(job, now);
            listener.moved(job, snapshots.get(job));
        }
    }

    /** A job that has not begun although there was time; null if there is none. */
    private MissingSlots unstarted() {
        for (int i = 0; i < snapshots.size(); i++) {
            if (Double.isNaN(snapshots.get(i).round()) && quiet(i)) {
                return new MissingSlots(rest, rules.get(i), jobs.get(i).getJobID().toString());
            }
        }
        return null;
    }

    private boolean quiet(int job) {
        return System.nanoTime() - movedAt.get(job) > PATIENCE_NANOS;
    }

    /** True for each run that waits for gradients. */
    private List<Boolean> waiting() {
        List<Boolean> waiting = new ArrayList<>();
        for (int i = 0; i < snapshots.size(); i++) {
            Snapshot snapshot = snapshots.get(i);
            waiting.add(
                    snapshot.answered() < snapshot.quorum()
                            && snapshot.round() < rounds
                            && quiet(i));
        }
        return waiting;
    }
}
