package dev.levee.operators.rounds.topology;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.operators.rounds.Attackers;

import java.io.Serializable;
import java.time.Duration;
import java.util.List;

/**
 * Settings of failover: participants read the next replica when the one that they read has crashed
 * (thesis, section 3.6.2).
 *
 * @param timeout how long other replicas may offer a newer model before the current one counts as
 *     crashed
 * @param crashes the replicas that crash in an experiment
 * @param liars the replicas that are Byzantine toward their readers in an experiment: the first
 *     ones, because a replica without readers has no effect
 */
public record Failover(Duration timeout, List<Crash> crashes, Attackers liars)
        implements Serializable {
    /**
     * A crash: from a round on, a replica neither sends nor receives anything.
     *
     * @param server the replica that crashes
     * @param round the first round without it
     */
    public record Crash(int server, long round) implements Serializable {}

    /** The default time-out of participants. */
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

    /** True if a replica has crashed before a round. */
    public boolean crashed(int server, long round) {
        return crashes.stream()
                .anyMatch(crash -> crash.server() == server && round >= crash.round());
    }
}
