package dev.levee.federated.personal;

import dev.levee.learners.Gradient;
import dev.levee.operators.rounds.training.Work;

import java.util.Map;

/** A device's model of its own, in one round. The calls come in the order of the methods. */
public interface PersonalRound {
    /**
     * The start of a device's training.
     *
     * @param w where it would begin; only read
     * @return w itself, or an array of its own
     */
    default float[] begin(float[] w) {
        return w;
    }

    /** The gradient along which the device takes a step at w; only the round's batches are used. */
    default Gradient gradient(float[] w, int step, Work.Gradients gradients) {
        return gradients.at(w, step);
    }

    /**
     * Leaves out of a step what it does not train.
     *
     * @param direction changed in place
     */
    default void mask(float[] direction, int step) {}

    /**
     * Leaves out of x − w what stays on the device.
     *
     * @param values x − w, then buffers; changed in place
     */
    default void send(float[] values) {}

    /**
     * The device's model when it has trained to w.
     *
     * @param w only read
     * @param keeps receives what the device must keep
     * @return the model, as long as the model's own vector or as x; x itself if there is none
     */
    float[] model(float[] w, Map<String, float[]> keeps);
}
