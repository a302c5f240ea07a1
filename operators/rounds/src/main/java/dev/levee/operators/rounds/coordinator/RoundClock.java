package dev.levee.operators.rounds.coordinator;

import dev.levee.operators.rounds.Moment;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.Training;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * The clock of an open round: its timeout or deadline, and the silence after which the run ends.
 * All times are microseconds of the monotonic clock, which may be negative.
 */
final class RoundClock {
    /**
     * Added to the timeout of the first round after a start, because processes load models and
     * data.
     */
    private static final Duration START_GRACE = Duration.ofSeconds(10);

    /** Number of timeouts of a round without any answer after which the run ends. */
    private static final int SILENT_TIMEOUTS = 20;

    /** Shortest silence after which the run ends, because processes may be starting. */
    private static final Duration SILENCE = Duration.ofMinutes(5);

    /** The alarm of a clock that does not run. */
    private static final long NEVER = Long.MAX_VALUE;

    private final Training training;
    private final long round;
    private final Settings settings;

    private final boolean starting;

    /** True if the timeout or deadline has passed; then the clock does not run again. */
    private boolean timedOut;

    /** When the timeout or deadline passes. */
    private long alarm = NEVER;

    /** When the run ends unless a participant answers before. */
    private long silentUntil = NEVER;

    RoundClock(
            Training training, long round, Settings settings, boolean starting, boolean timedOut) {
        this.training = training;
        this.round = round;
        this.settings = settings;
        this.starting = starting;
        this.timedOut = timedOut;
    }

    /** True if models and data must be loaded before the first answers. */
    boolean starting() {
        return starting;
    }

    /** When {@link #due} or {@link #checkSilence} should be called. */
    OptionalLong alarm() {
        long next = Math.min(alarm, silentUntil);
        return next == NEVER ? OptionalLong.empty() : OptionalLong.of(next);
    }

    /**
     * Restarts the wait for an answer: a participant has answered, or may begin to, in a round with
     * a timeout.
     */
    void heard(long now) {
        Duration timeout = timeout();
        if (timeout != null) {
            Duration many = timeout.multipliedBy(SILENT_TIMEOUTS);
            Duration patience = many.compareTo(SILENCE) > 0 ? many : SILENCE;
            silentUntil = now + patience.toNanos() / 1000;
        }
    }

    /**
     * Fails a run that gets no answers.
     *
     * @param complete number of the round's complete contributions
     * @throws RunFailedException if no answer has arrived for too long
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

    /** True if the time is over; stops the clock then. */
    boolean due(long now) {
        if (now < alarm) {
            return false;
        }
        alarm = NEVER;
        return true;
    }

    /** Marks the timeout or deadline as passed for good. */
    void pass() {
        timedOut = true;
    }

    boolean timedOut() {
        return timedOut;
    }

    /**
     * The timeout of the round, null if it has none. The configured value is for the initial batch
     * size and one round; a server that others wait for may itself have to wait for the timeouts of
     * earlier rounds. A restart starts timeouts again, but does not undo rounds that others have
     * closed by theirs.
     */
    private Duration timeout() {
        Duration timeout = settings.stop() ? null : training.admission().timeout();
        int meant = training.data().batchSize();
        long times = Math.max(1, -Math.floorDiv(-settings.batchSize(), meant));
        return timeout == null ? null : timeout.multipliedBy(times * timeouts());
    }

    /**
     * Number of timeouts that other servers may have to wait for: before an exchange, and in a
     * round of workers after a restart, when a worker's own server may be one round behind. It no
     * longer is when both rounds are over.
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
