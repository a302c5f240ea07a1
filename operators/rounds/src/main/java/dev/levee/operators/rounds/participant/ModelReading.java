package dev.levee.operators.rounds.participant;

import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.participant.ModelAssembler.Assembled;
import dev.levee.operators.rounds.topology.ReadingGroup;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.vector.Slices;

/** Turns the models of a group of servers into the model that a participant works on. */
interface ModelReading {
    /**
     * The reading of a group's models.
     *
     * @param held the coordinates that are needed; all if models of several servers are compared
     */
    static ModelReading of(
            Training training, Slices slices, ReadingGroup group, LocalVectors held) {
        return switch (training.topology().reading()) {
            case AGGREGATE -> new CombinedReading(training, slices, group, held.arrays());
            case PRIMARY -> new PrimaryReading(training, slices);
            case PER_SERVER, OWN ->
                    new ModelAssembler(slices, held.model(), held.arrays(), group.read()[0])::add;
        };
    }

    /** Adds a block. Returns the model to work on if one is now ready, else null. */
    Assembled add(ModelBlock block);

    /** The replica whose model is read, −1 if there is no choice of replicas. */
    default int primary() {
        return -1;
    }

    /** The newest version that any replica has offered, −1 before the first. */
    default long offered() {
        return -1;
    }

    /** True while other replicas offer a newer model than the primary. */
    default boolean suspects() {
        return false;
    }

    /** Stops waiting for the primary. Returns the model to work on if there is one, else null. */
    default Assembled giveUp() {
        return null;
    }
}
