package dev.levee.operators;

import dev.levee.connectors.Partition;
import dev.levee.gar.Attack;
import dev.levee.gar.Rule;
import dev.levee.learners.Model;

import java.io.Serializable;
import java.time.Duration;

/**
 * One training run, resolved and validated: everything the operators need and nothing about where
 * they run.
 *
 * @param runId identifies the run in every record; eight letters or digits
 * @param dataset URI as {@link dev.levee.connectors.Datasets#open} takes it
 * @param partition how training samples are dealt to workers
 * @param model the model
 * @param workers number of workers, n
 * @param byzantine how many of them the rule has to tolerate, f
 * @param attackers how many of them, the last ids of those that are always active, really attack
 * @param attack what attackers send, null for none
 * @param rule the aggregation rule or pipeline
 * @param quorum number of complete gradients that close a round, q; {@code workers} for synchronous
 *     rounds
 * @param roundTimeout how long a round waits for missing gradients, null for ever
 * @param nonFinite what happens to gradients that contain NaN or infinity
 * @param batchSize samples per worker and round
 * @param learningRate step size and its schedule
 * @param optimizer how the model steps
 * @param momentum momentum factor, 0 for none
 * @param momentumSide who keeps the momentum
 * @param rounds number of rounds
 * @param evalInterval rounds between evaluations; the final model is always evaluated
 * @param seed seed of everything drawn
 * @param computeThreads gradients computed at a time by each subtask of the workers
 * @param elasticity bounds of workers and batch while the run goes on, null for a run that stays as
 *     it starts
 */
public record Training(
        String runId,
        String dataset,
        Partition partition,
        Model model,
        int workers,
        int byzantine,
        int attackers,
        Attack attack,
        Rule rule,
        int quorum,
        Duration roundTimeout,
        NonFinite nonFinite,
        int batchSize,
        LearningRate learningRate,
        OptimizerKind optimizer,
        double momentum,
        MomentumSide momentumSide,
        long rounds,
        int evalInterval,
        long seed,
        int computeThreads,
        Elasticity elasticity)
        implements Serializable {

    /** Checks that fewer than all workers may be Byzantine. */
    public Training {
        if (byzantine < 0 || byzantine >= workers) {
            throw new IllegalArgumentException(
                    "byzantine must be 0 to %d, below the %d workers, got %d"
                            .formatted(workers - 1, workers, byzantine));
        }
    }

    /** What happens to gradients that contain NaN or infinity. */
    public enum NonFinite {
        /** The gradient is a proven fault of its worker in this round. */
        REJECT,
        /** The gradient takes part like any other; the rule has to cope. */
        KEEP
    }

    /** Who keeps the momentum. */
    public enum MomentumSide {
        SERVER,
        WORKER
    }

    /** True if a round waits for every worker. */
    public boolean synchronous() {
        return quorum == workers;
    }

    /** Most workers that the run can have: ids are 0 to that − 1. */
    public int mostWorkers() {
        return elasticity == null ? workers : elasticity.maxWorkers();
    }

    /** Workers that are active in every round: the first ids. Attackers are among them. */
    public int permanentWorkers() {
        return elasticity == null ? workers : elasticity.minWorkers();
    }

    /** True if worker {@code id} attacks. */
    public boolean attacks(int id) {
        int permanent = permanentWorkers();
        return attack != null && id >= permanent - attackers && id < permanent;
    }
}
