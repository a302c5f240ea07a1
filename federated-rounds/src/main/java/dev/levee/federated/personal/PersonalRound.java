package dev.levee.federated.personal;

import dev.levee.learners.Gradient;
import dev.levee.operators.rounds.training.Work;

import java.util.Map;

/** A device's own model in one round. Methods are called in their order here. */
public interface PersonalRound {
    /**
     * The start of a device's training.
     *
     * @param w the default start; only read
     * @return w itself, or a new array
     */
    default float[] begin(float[] w) {
        return w;
    }

    /** The gradient along which the device takes a step at w; only the round's batches are used. */
    default Gradient gradient(float[] w, int step, Work.Gradients gradients) {
        return gradients.at(w, step);
    }

    /**
     * Sets the coordinates that a step does not train to zero.
     *
     * @param direction changed in place
     */
    default void mask(float[] direction, int step) {}

    /**
     * Sets the part of x − w that stays on the device to zero.
     *
     * @param values x − w, then buffers; changed in place
     */
    default void send(float[] values) {}

    /**
     * The device's own model after training to w.
     *
     * @param w the trained model; only read
     * @param keeps receives vectors that the device must keep
     * @return the model, as long as the model's own vector or as x; x itself if there is none
     */
    float[] model(float[] w, Map<String, float[]> keeps);
}
