package dev.levee.operators.rounds.topology;

import static dev.levee.operators.rounds.WrongTrainingException.require;

import dev.levee.operators.rounds.Attackers;

import java.io.Serializable;
import java.time.Duration;
import java.util.List;

/**
 * The takeover by the next of several replicas when the one that participants read has crashed
 * (thesis, section 3.6.2).
 *
 * @param timeout how long others may offer a newer model before the one that is read counts as
 *     crashed
 * @param crashes the replicas that really crash, for experiments
 * @param liars the replicas that are Byzantine towards those who read them, for experiments: the
 *     first ones, for what a replica says that nobody reads changes nothing
 */
public record Failover(Duration timeout, List<Crash> crashes, Attackers liars)
        implements Serializable {
    /**
     * A replica neither sends nor receives anything from a round on.
     *
     * @param server which one
     * @param round the first round that it has no part in
     */
    public record Crash(int server, long round) implements Serializable {}

    /** Default time that participants wait. */
    public static final Duration TIMEOUT = Duration.ofSeconds(2);

    /** Checks the numbers. */
    public Failover {
        crashes = List.copyOf(crashes);
        require(
                timeout.compareTo(Duration.ZERO) > 0,
                "{failoverTimeout} must be above 0, got %s",
                timeout);
        for (Crash crash : crashes) {
            require(
                    crash.round() >= 0,
                    "{killServer} must name a round of at least 0, got %s",
                    crash.round());
        }
    }

    /** Replicas that neither crash nor lie in an experiment. */
    public Failover(Duration timeout) {
        this(timeout, List.of(), Attackers.NONE);
    }

    /** True if a replica has no part in a round any more. */
    public boolean crashed(int server, long round) {
        return crashes.stream()
                .anyMatch(crash -> crash.server() == server && round >= crash.round());
    }
}
