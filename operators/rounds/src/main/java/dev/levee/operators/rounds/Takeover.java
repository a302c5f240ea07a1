package dev.levee.operators.rounds;

import java.io.Serializable;

/**
 * Participants begin to read one of several replicas: the first one when they start, the next one
 * when the one that they read has been silent for the time-out (thesis, section 3.6.2). Those of
 * one process go over together, those of several each by their own clock.
 *
 * @param attempt how often their engine had started them again before
 * @param round the first round whose model they read from it
 * @param from the replica that fell silent, −1 if they have just started
 * @param to the replica that they read now
 * @param participants how many of that round go over
 * @param older how many of them got an older model than another replica had offered by then
 * @param waitedMicros how long the others had offered a newer model, at least the time-out; 0 for
 *     who has just started
 */
public record Takeover(
        int attempt, long round, int from, int to, int participants, int older, long waitedMicros)
        implements Serializable {
    /** True if a replica was left for it. */
    public boolean failover() {
        return from >= 0;
    }

    /** True if another process says the same of its participants. */
    public boolean sameAs(Takeover other) {
        return attempt == other.attempt
                && round == other.round
                && from == other.from
                && to == other.to;
    }

    /** Both that are the {@link #sameAs same}, as one. */
    public Takeover plus(Takeover other) {
        return new Takeover(
                attempt,
                round,
                from,
                to,
                participants + other.participants,
                older + other.older,
                Math.max(waitedMicros, other.waitedMicros));
    }

    /** The same in another attempt. */
    public Takeover in(int number) {
        return new Takeover(number, round, from, to, participants, older, waitedMicros);
    }
}
