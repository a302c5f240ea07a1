package dev.levee.operators.rounds.report;

import java.io.Serializable;

/**
 * Records that participants begin to read a server's replica. They read the first replica at their
 * start, and switch to the next when the current one has been silent for the time-out (thesis,
 * section 3.6.2). All participants of a process switch together; each process decides by its own
 * clock.
 *
 * @param attempt how often the engine had restarted the participants
 * @param round the first round whose model they read from the new replica
 * @param from the replica that fell silent, −1 if they have just started
 * @param to the replica that they read now
 * @param participants how many participants of that round switch
 * @param older how many of them got an older model than another replica had offered by then
 * @param waitedMicros how long the others had offered a newer model, at least the time-out; 0 for
 *     participants that have just started
 */
public record Takeover(
        int attempt, long round, int from, int to, int participants, int older, long waitedMicros)
        implements Serializable {
    /** True if the participants left another replica for this one. */
    public boolean failover() {
        return from >= 0;
    }

    /** True if another process reports the same switch of its participants. */
    public boolean sameAs(Takeover other) {
        return attempt == other.attempt
                && round == other.round
                && from == other.from
                && to == other.to;
    }

    /** Combines two takeovers that are the {@link #sameAs same}. */
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

    /** The same takeover in another attempt. */
    public Takeover in(int number) {
        return new Takeover(number, round, from, to, participants, older, waitedMicros);
    }
}
