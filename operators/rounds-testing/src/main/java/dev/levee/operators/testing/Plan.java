package dev.levee.operators.testing;

import dev.levee.operators.rounds.Parts;
import dev.levee.operators.rounds.Slices;
import dev.levee.operators.rounds.Training;

/** What is to be driven: everything that a crash does not touch. */
record Plan(
        Training training,
        long run,
        Slices slices,
        float[] initial,
        GradientSource gradients,
        Disturbances disturbances,
        Changes changes) {
    /** No run takes more rounds: all but the last have the fewest workers' smallest batches. */
    long mostRounds() {
        long fewest = training.permanentWorkers();
        return (training.rounds() * training.workers() + fewest - 1) / fewest;
    }

    /** What the adversary sees together. */
    Parts parts() {
        return new Parts(slices, training.attack() != null && training.attack().whole());
    }
}
