package dev.levee.operators.rounds.shard;

import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.transfer.ReplicaBound;
import dev.levee.operators.rounds.transfer.ReplicaBound.Due;
import dev.levee.operators.rounds.vector.Slices;

/**
 * Decides which updates of one block a replica gets. A block with d of the n trainable coordinates
 * keeps within a distance of D·√(d/n), so all blocks together keep within D without waiting for
 * each other. After every start, the replica gets the whole block once.
 */
final class Replication {
    private final ReplicaBound bound;
    private final boolean moments;
    private boolean begun;

    /** The replication of a block; null if the training has no replica. */
    static Replication of(Training training, Slices slices, int block) {
        return training.topology().standby() == null
                ? null
                : new Replication(training, slices, block);
    }

    private Replication(Training training, Slices slices, int block) {
        double share = (double) slices.trainable(block) / Math.max(1, slices.trainable());
        double momentum = training.step().optimizer().linear().orElseThrow();
        bound =
                new ReplicaBound(
                        training.topology().standby().distance() * Math.sqrt(share),
                        training.step().learningRate().at(0),
                        momentum);
        moments = training.step().optimizer().moments() > 0;
    }

    /**
     * Decides about an update that is being applied.
     *
     * @param aggregate the round's aggregate
     * @param trainable number of coordinates that are stepped along it
     */
    Due applying(float[] aggregate, int trainable) {
        double squares = 0;
        for (int i = 0; i < trainable; i++) {
            squares += (double) aggregate[i] * aggregate[i];
        }
        Due due = bound.applying(Math.sqrt(squares));
        if (!begun) {
            begun = true;
            bound.caughtUp();
            return Due.STATE;
        }
        // Without moments, an update has the same length as the values after it.
        return due == Due.UPDATE && !moments ? Due.STATE : due;
    }
}
