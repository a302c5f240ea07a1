package dev.levee.operators.rounds;

import dev.levee.gar.Rule;
import dev.levee.learners.Model;

import java.io.Serializable;

/**
 * One training run: everything that the parts of a round need, and nothing about where they run.
 * Its own parts check themselves; what concerns several of them is checked here.
 *
 * @param runId identifies the run in every record; eight letters or digits
 * @param data what workers compute on
 * @param model the model
 * @param workers number of workers, n, as the run starts
 * @param byzantine how many of those who take part in a round the rule has to tolerate, f
 * @param attackers who really attacks, for experiments
 * @param rule the aggregation rule or pipeline
 * @param admission what becomes a row, and when a round closes
 * @param oracle what the server scores contributions on, for rules that need scores; else null
 * @param work what a participant does in a round
 * @param step how the model moves along the aggregate
 * @param plan who takes part in which round, and with which settings
 * @param topology which servers there are
 * @param rounds number of rounds
 * @param evalInterval rounds between evaluations; the final model is always evaluated
 * @param seed seed of everything drawn
 * @param computeThreads gradients computed at a time by each subtask of the workers
 */
public record Training(
        String runId,
        Data data,
        Model model,
        int workers,
        int byzantine,
        Attackers attackers,
        Rule rule,
        Admission admission,
        Oracle oracle,
        Work work,
        ServerStep step,
        Plan plan,
        Topology topology,
        long rounds,
        int evalInterval,
        long seed,
        int computeThreads)
        implements Serializable {

    /**
     * Checks what concerns several parts.
     *
     * @throws IllegalArgumentException if they contradict; one sentence
     */
    public Training {
        if (workers < 1) {
            throw new IllegalArgumentException("workers must be at least 1, got " + workers);
        }
        if (byzantine < 0 || byzantine >= workers) {
            throw new IllegalArgumentException(
                    "byzantine must be 0 to %d, below the %d workers, got %d"
                            .formatted(workers - 1, workers, byzantine));
        }
        if (rounds < 0 || evalInterval < 1 || computeThreads < 1) {
            throw new IllegalArgumentException(
                    "rounds must be at least 0, evalInterval and computeThreads at least 1, got"
                            + " %d, %d and %d".formatted(rounds, evalInterval, computeThreads));
        }
        if (plan.oneOrder() && work.steps() > 1) {
            throw new IllegalArgumentException(
                    "a plan with one order of all samples needs work of one step, got "
                            + work.steps());
        }
        if (oracle != null && !rule.needsScores()) {
            throw new IllegalArgumentException(
                    "an oracle is for rules that need scores, which %s does not need"
                            .formatted(rule.name()));
        }
        if (oracle == null && rule.needsScores()) {
            throw new IllegalArgumentException(
                    "%s needs an oracle for its scores".formatted(rule.name()));
        }
        if (rule.needsScores() && admission.staleness() > 0) {
            throw new IllegalArgumentException(
                    "staleness must be 0 for %s, which scores contributions to the open round's model, got %d"
                            .formatted(rule.name(), admission.staleness()));
        }
        if (plan instanceof Elasticity && topology.servers() > 1) {
            throw new IllegalArgumentException(
                    "an elastic run has one server, for several would each decide what comes next,"
                            + " got "
                            + topology.servers());
        }
    }

    /** True if the rounds of this run wait for everybody who takes part. */
    public boolean synchronous() {
        return plan.at(this, 0).synchronous();
    }

    /** Workers that are active in every round: the first ids. Attackers are among them. */
    public int permanentWorkers() {
        return plan.permanent(this);
    }

    /** True if worker {@code id} attacks. */
    public boolean attacks(int id) {
        int permanent = permanentWorkers();
        return attackers.attack() != null && id >= permanent - attackers.count() && id < permanent;
    }
}
