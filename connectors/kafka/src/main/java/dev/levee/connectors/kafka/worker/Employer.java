package dev.levee.connectors.kafka.worker;

import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.training.Training;

/**
 * Combines a worker's own options and the settings in a model into the training that it takes part
 * in.
 */
@FunctionalInterface
public interface Employer {
    /** A worker that computes gradients: the job adds only the number of shares of the data. */
    Employer OF_GRADIENTS = (own, model) -> own;

    /**
     * The work that a model describes.
     *
     * @param dealtTo among how many workers data are dealt
     * @param settings of the round that it opens
     * @param work what participants do; empty if it does not say
     */
    record Told(int dealtTo, Settings settings, String work) {}

    /**
     * The training.
     *
     * @param own what the worker brings: model, data, seed
     * @throws IllegalArgumentException if the worker cannot take part in it; one sentence
     */
    Training employ(Training own, Told model);

    /**
     * True if no round waits for the worker: it pulls the newest model when it is free, and has no
     * use for those that come while it works.
     */
    default boolean pulls(Told model) {
        return false;
    }

    /** The same, but it takes part in secure sums only. */
    default Employer masked() {
        Employer any = this;
        return new Employer() {
            @Override
            public Training employ(Training own, Told model) {
                Training employed = any.employ(own, model);
                if (!employed.admission().masking().hides()) {
                    throw new IllegalArgumentException(
                            "the job asks for contributions that are not masked, but this device"
                                    + " has --secure-sum");
                }
                return employed;
            }

            @Override
            public boolean pulls(Told model) {
                return any.pulls(model);
            }
        };
    }
}
