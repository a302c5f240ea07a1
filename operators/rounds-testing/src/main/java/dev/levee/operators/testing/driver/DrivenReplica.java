package dev.levee.operators.testing.driver;

import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.shard.Replica;
import dev.levee.operators.rounds.shard.ReplicaUpdate;
import dev.levee.operators.testing.BrokenInvariantException;
import dev.levee.operators.testing.Drive;

import java.util.Optional;

/**
 * The replica of a driven run. After everything that anybody sees of the primary, it checks how far
 * the replica would be from it if the primary were lost now.
 */
final class DrivenReplica {
    /** Bound of what rounding to floats adds over a run, relative to a model's norm. */
    private static final double ROUNDING = 1e-5;

    private final Drive plan;
    private final Replica replica;

    /** Null if the training has no replica. */
    static DrivenReplica of(Drive plan) {
        return plan.training().topology().standby() == null ? null : new DrivenReplica(plan);
    }

    private DrivenReplica(Drive plan) {
        this.plan = plan;
        this.replica = new Replica(plan.training(), plan.slices());
    }

    /**
     * Everybody sees a block that the replica did not have to get. The final model is the run's
     * result: nobody continues from it.
     */
    void seen(ModelBlock model) {
        if (!model.settings().stop()) {
            replica.seen(model);
            check();
        }
    }

    /** The replica gets a block, which everybody may see now. */
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
