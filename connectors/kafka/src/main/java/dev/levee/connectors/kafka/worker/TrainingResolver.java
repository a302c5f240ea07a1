package dev.levee.connectors.kafka.worker;

import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.training.Training;

/**
 * Combines a worker's own options and the settings in a model into the training that the worker
 * takes part in.
 */
@FunctionalInterface
public interface TrainingResolver {
    /** For workers that compute gradients: the training follows from the worker's own options. */
    TrainingResolver OF_GRADIENTS = (own, model) -> own;

    /**
     * The work that a model describes.
     *
     * @param dealtTo number of workers that share the data
     * @param settings the settings of the round that the model opens
     * @param work the work of participants; empty if the model does not say
     */
    record Told(int dealtTo, Settings settings, String work) {}

    /**
     * Returns the training.
     *
     * @param own the worker's own options: model, data, seed
     * @throws IllegalArgumentException if the worker cannot take part in the training; one sentence
     */
    Training resolve(Training own, Told model);

    /**
     * True if rounds do not wait for the worker. It then pulls the newest model when it is free,
     * and skips models that arrive while it works.
     */
    default boolean pulls(Told model) {
        return false;
    }

    /** This employer, restricted to trainings with secure sums. */
    default TrainingResolver masked() {
        TrainingResolver any = this;
        return new TrainingResolver() {
            @Override
            public Training resolve(Training own, Told model) {
                Training resolved = any.resolve(own, model);
                if (!resolved.admission().masking().hides()) {
                    throw new IllegalArgumentException(
                            "the job asks for contributions that are not masked, but this device"
                                    + " has --secure-sum");
                }
                return resolved;
            }

            @Override
            public boolean pulls(Told model) {
                return any.pulls(model);
            }
        };
    }
}
