package dev.levee.jobs.internal.run.follow;

import dev.levee.jobs.internal.run.follow.JobProgress.Snapshot;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The state of a followed job, and what was reported to the user. */
final class FollowedJob {
    /**
     * A round that takes longer counts as waiting for a participant. The limit allows for a state
     * that is two queries old.
     */
    static final long PATIENCE_NANOS =
            TimeUnit.MILLISECONDS.toNanos(2 * Terminal.LINE_MILLIS) + TimeUnit.SECONDS.toNanos(2);

    private final String rule;
    private final long rounds;
    private final LearningWatch learning;
    private final LongSupplier clock;
    private Snapshot snapshot = Snapshot.NOTHING;
    private long movedAt;
    private long reportedAt;
    private double restartedAt = -1;

    /**
     * Starts to follow a job that was just submitted.
     *
     * @param rule name of the job
     * @param rounds number of its rounds
     * @param guessing training loss of a model that guesses; NaN if unknown
     * @param clock time in nanoseconds, as {@link System#nanoTime}
     */
    FollowedJob(String rule, long rounds, double guessing, LongSupplier clock) {
        this.rule = rule;
        this.rounds = rounds;
        this.learning = new LearningWatch(guessing, rounds);
        this.clock = clock;
        movedAt = clock.getAsLong();
        reportedAt = movedAt;
    }

    String rule() {
        return rule;
    }

    Snapshot snapshot() {
        return snapshot;
    }

    /**
     * Receives the current state of the job.
     *
     * @param address address of the cluster
     * @return new sentences for the user
     */
    List<String> look(Snapshot now, URI address) {
        List<String> said = new ArrayList<>();
        Snapshot before = snapshot;
        snapshot = Double.isNaN(now.round()) ? before.in(now.status()) : now;
        double round = snapshot.round();
        if (restarts(snapshot) && !restarts(before) && Double.compare(restartedAt, round) != 0) {
            restartedAt = round;
            said.add(
                    "%s restarts from its newest checkpoint after a failure; see %s"
                            .formatted(rule, address));
        }
        if (Double.compare(round, before.round()) != 0) { // NaN before the first round
            movedAt = clock.getAsLong();
        }
        learning.look(round, snapshot.loss())
                .ifPresent(
                        stall ->
                                said.add(
                                        "%s %s. If workers attack, try another --aggregator; otherwise, try a tenth of the learning rate."
                                                .formatted(rule, stall.words())));
        return said;
    }

    private static boolean restarts(Snapshot snapshot) {
        return snapshot.status().equals("RESTARTING");
    }

    /** True at the interval of progress lines, if the job has made progress since the last. */
    boolean reports() {
        long now = clock.getAsLong();
        if (movedAt <= reportedAt
                || now - reportedAt <= TimeUnit.MILLISECONDS.toNanos(Terminal.LINE_MILLIS)) {
            return false;
        }
        reportedAt = now;
        return true;
    }

    /** True if no round, not even the first, has ended within {@link #PATIENCE_NANOS}. */
    boolean stands() {
        return !(snapshot.round() >= rounds) && clock.getAsLong() - movedAt > PATIENCE_NANOS;
    }

    /** True if the job stands still because gradients are missing. */
    boolean waits() {
        return snapshot.answered() < snapshot.quorum() && stands();
    }
}
