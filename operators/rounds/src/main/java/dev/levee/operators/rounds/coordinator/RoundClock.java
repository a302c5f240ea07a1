package dev.levee.operators.rounds.coordinator;

import dev.levee.operators.rounds.Moment;
import dev.levee.operators.rounds.RunFailedException;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.Training;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * The clock of an open round: its timeout or deadline, and the silence after which the run ends.
 * All times are microseconds of the monotonic clock, which may be negative.
 */
final class RoundClock {
    /** Added to the timeout of the first round after a start: processes load models and data. */
    private static final Duration START_GRACE = Duration.ofSeconds(10);

    /** Number of timeouts of a round without any answer after which the run ends. */
    private static final int SILENT_TIMEOUTS = 20;

    /** A run without answers is not ended earlier than that: processes may be starting. */
    private static final Duration SILENCE = Duration.ofMinutes(5);

    /** When the clock rings while it does not run. */
    private static final long NEVER = Long.MAX_VALUE;

    private final Training training;
    private final long round;
    private final Settings settings;

    /** True if the first answers may take longer, because models and data must be loaded. */
    private final boolean starting;

    /** True if the timeout or deadline has passed; the clock does not run again then. */
    private boolean timedOut;

    /** When the timeout or deadline passes. */
    private long alarm = NEVER;

    /** End of the run unless a participant answers before. */
    private long silentUntil = NEVER;

    RoundClock(
            Training training, long round, Settings settings, boolean starting, boolean timedOut) {
        this.training = training;
        this.round = round;
        this.settings = settings;
        this.starting = starting;
        this.timedOut = timedOut;
    }

    /** When {@link #due} or {@link #checkSilence} want to be asked. */
    OptionalLong alarm() {
        long next = Math.min(alarm, silentUntil);
        return next == NEVER ? OptionalLong.empty() : OptionalLong.of(next);
    }

    /** A participant has answered, or may begin to, in a round with a timeout. */
    void heard(long now) {
        Duration timeout = timeout();
        if (timeout != null) {
            Duration many = timeout.multipliedBy(SILENT_TIMEOUTS);
            Duration patience = many.compareTo(SILENCE) > 0 ? many : SILENCE;
            silentUntil = now + patience.toNanos() / 1000;
        }
    }

    /**
     * Ends a run that gets no answers.
     *
     * @param complete contributions that the round has
     * @throws RunFailedException if no answer has come for so long
     */
    void checkSilence(long now, int complete) {
        if (now >= silentUntil) {
            throw new RunFailedException(
                    "round %d has %d of %d gradients, and no worker has answered for %d timeouts of"
                                    .formatted(round, complete, settings.workers(), SILENT_TIMEOUTS)
                            + " a round, or "
                            + SILENCE.toMinutes()
                            + " minutes where that is longer");
        }
    }

    /** Starts the clock of a round that closes at a deadline, whichever participants answer. */
    void opened(long now) {
        if (settings.deadline() != null) {
            arm(now);
        }
    }

    /** Starts the clock, if this round has a timeout or deadline that has not passed. */
    void arm(long now) {
        Duration patience = settings.deadline() != null ? settings.deadline() : timeout();
        if (patience != null && !timedOut) {
            alarm = now + (starting ? patience.plus(START_GRACE) : patience).toNanos() / 1000;
        }
    }

    /** Starts the clock if it does not run yet. */
    void armOnce(long now) {
        if (alarm == NEVER) {
            arm(now);
        }
    }

    void disarm() {
        alarm = NEVER;
        silentUntil = NEVER;
    }

    /** True if the clock has run out; it is stopped then. */
    boolean due(long now) {
        if (now < alarm) {
            return false;
        }
        alarm = NEVER;
        return true;
    }

    /** The timeout or deadline has passed for good. */
    void pass() {
        timedOut = true;
    }

    boolean timedOut() {
        return timedOut;
    }

    /**
     * The timeout, null if the round has none. It was meant for the batch that the run started
     * with. A server that is waited for may have as many rounds before it, and each may have to
     * wait for its own timeout: a restart begins them anew, but takes back no round that others
     * have left by theirs.
     */
    private Duration timeout() {
        Duration timeout = settings.stop() ? null : training.admission().timeout();
        int meant = training.data().batchSize();
        long times = Math.max(1, -Math.floorDiv(-settings.batchSize(), meant));
        return timeout == null ? null : timeout.multipliedBy(times * timeouts());
    }

    /**
     * As many timeouts as others may still have to wait for: before an exchange; and in a round of
     * workers that goes on after a restart, of which a worker's own server may be one round behind.
     * It is not when both rounds are over.
     */
    private long timeouts() {
        Topology topology = training.topology();
        Moment moment = training.moment(round);
        if (!moment.ofWorkers()) {
            return topology.longestWait(training.rounds());
        }
        return starting ? 1 + topology.sinceExchange(moment.iteration()) : 1;
    }
}
