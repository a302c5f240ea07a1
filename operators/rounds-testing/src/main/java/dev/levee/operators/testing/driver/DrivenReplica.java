package dev.levee.operators.testing.driver;

import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.shard.Replica;
import dev.levee.operators.rounds.shard.ReplicaUpdate;
import dev.levee.operators.testing.BrokenInvariantException;
import dev.levee.operators.testing.Drive;

import java.util.Optional;

/**
 * The replica of a driven run. After each published block of the primary, it checks the distance of
 * the replica in case the primary were lost now.
 */
final class DrivenReplica {
    /** Bound of the rounding errors of a run, relative to a model's norm. */
    private static final double ROUNDING = 1e-5;

    private final Drive plan;
    private final Replica replica;

    /** Creates the replica of a training, null if the training has none. */
    static DrivenReplica of(Drive plan) {
        return plan.training().topology().standby() == null ? null : new DrivenReplica(plan);
    }

    private DrivenReplica(Drive plan) {
        this.plan = plan;
        this.replica = new Replica(plan.training(), plan.slices());
    }

    /**
     * Handles a published block that the replica did not need. The final model is not checked,
     * because no run continues from it.
     */
    void seen(ModelBlock model) {
        if (!model.settings().stop()) {
            replica.seen(model);
            check();
        }
    }

    /** Stores a block in the replica; returns the block that may now be published. */
    ModelBlock keep(ReplicaUpdate update) {
        ModelBlock shown = replica.keep(update);
        check();
        return shown;
    }

    private void check() {
        Optional<Replica.Model> model = replica.model();
        if (model.isEmpty()) {
            return;
        }
        double squares = 0;
        for (var block : model.get().blocks()) {
            for (float each : block.values()) {
                squares += (double) each * each;
            }
        }
        double bound = plan.training().topology().standby().distance();
        if (model.get().distance() > bound + ROUNDING * Math.sqrt(squares)) {
            throw new BrokenInvariantException(
                    "the replica is %s from version %d, of at most %s"
                            .formatted(model.get().distance(), model.get().version(), bound));
        }
    }
}
