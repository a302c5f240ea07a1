package dev.levee.operators.rounds.topology;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.gar.Rule;
import dev.levee.operators.rounds.Attackers;

import java.io.Serializable;

/**
 * The exchange of models between servers.
 *
 * @param rule combines the models that a server receives and its own; readers of several servers
 *     use it, too
 * @param byzantine how many of those models may be Byzantine, f
 * @param quorum number of models that close an exchange, including the server's own, q; {@link
 *     #ALL} if a server waits for all servers that it hears. Readers of several servers continue
 *     with the first q models
 * @param every iterations from one exchange of models to the next; the last one always has one
 * @param contraction how often aggregates are exchanged before each step
 * @param liars the servers that are Byzantine, for experiments
 */
public record Exchange(
        Rule rule, int byzantine, int quorum, int every, Contraction contraction, Attackers liars)
        implements Serializable {
    /** The quorum of all models that a server receives. */
    public static final int ALL = Integer.MAX_VALUE;

    /** Checks the numbers. */
    public Exchange {
        require(byzantine >= 0, "{byzantineServers} must not be negative, got %s", byzantine);
        require(quorum >= 1, "{serverQuorum} must be at least 1, got %s", quorum);
        require(every >= 1, "{contractEvery} must be at least 1, got %s", every);
    }

    /** An exchange in which a server waits for all servers that it hears. */
    public Exchange(Rule rule, int byzantine, int every, Contraction contraction, Attackers liars) {
        this(rule, byzantine, ALL, every, contraction, liars);
    }

    /** An exchange of models after every iteration, without Byzantine servers. */
    public Exchange(Rule rule, int byzantine) {
        this(rule, byzantine, 1, Contraction.NONE, Attackers.NONE);
    }

    /** The same exchange with another quorum. */
    public Exchange closingWith(int models) {
        return new Exchange(rule, byzantine, models, every, contraction, liars);
    }
}
