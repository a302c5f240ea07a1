package dev.levee.federated;

import dev.levee.operators.rounds.training.Training;

import java.io.Serializable;

/** The part of the model that a round synchronizes. */
public sealed interface Scope extends Serializable permits Scope.Whole, PartialSync, Swapping {
    /** The whole model. */
    Scope WHOLE = new Whole();

    /**
     * Checks that an algorithm and a run support this scope.
     *
     * @throws dev.levee.operators.rounds.fault.WrongTrainingException if not; one sentence
     */
    void check(Federation federation, Training run);

    /** Devices train and send the whole model. */
    record Whole() implements Scope {
        @Override
        public void check(Federation federation, Training run) {}
    }
}
