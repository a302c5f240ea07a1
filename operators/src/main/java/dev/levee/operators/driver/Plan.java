package dev.levee.operators.driver;

import dev.levee.operators.Training;
import dev.levee.operators.rounds.Parts;
import dev.levee.operators.rounds.Slices;

/** What is to be driven: everything that a crash does not touch. */
record Plan(
        Training training,
        long run,
        Slices slices,
        float[] initial,
        GradientSource gradients,
        Disturbances disturbances) {
    /** What the adversary sees together. */
    Parts parts() {
        return new Parts(slices, training.attack() != null && training.attack().whole());
    }
}
