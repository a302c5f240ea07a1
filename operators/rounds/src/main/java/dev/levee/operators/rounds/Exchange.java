package dev.levee.operators.rounds;

import static dev.levee.operators.rounds.WrongTrainingException.require;

import dev.levee.gar.Rule;

import java.io.Serializable;

/**
 * How servers bring their models together.
 *
 * @param rule what a server makes of the models that it gets, its own among them; who reads models
 *     of several servers uses it too
 * @param byzantine how many of those models may be lies, f
 * @param every iterations from one exchange of models to the next; the last one always has one
 * @param contraction how often aggregates are exchanged before each step
 * @param liars the servers that really lie, for experiments
 */
public record Exchange(
        Rule rule, int byzantine, int every, Contraction contraction, Attackers liars)
        implements Serializable {
    /** Checks the numbers. */
    public Exchange {
        require(byzantine >= 0, "{byzantineServers} must not be negative, got %s", byzantine);
        require(every >= 1, "{contractEvery} must be at least 1, got %s", every);
    }

    /** An exchange of models after every iteration, and of nothing else, without liars. */
    public Exchange(Rule rule, int byzantine) {
        this(rule, byzantine, 1, Contraction.NONE, Attackers.NONE);
    }
}
