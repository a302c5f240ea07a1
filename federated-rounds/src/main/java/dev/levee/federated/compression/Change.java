package dev.levee.federated.compression;

import dev.levee.learners.Layout;

import java.util.Map;

/**
 * A device's change in a round.
 *
 * @param values x − w, changed in place, then buffers
 * @param layout the layout of the model
 * @param key the key of random choices: a function of run, round and device
 * @param kept vectors that the device kept; only read
 * @param keeps receives vectors that the device must keep
 */
public record Change(
        float[] values,
        Layout layout,
        long key,
        Map<String, float[]> kept,
        Map<String, float[]> keeps) {
    private static final String RESIDUAL = "residual";

    /**
     * Adds the values that earlier rounds did not send to the change (error feedback: Stich,
     * Cordonnier, Jaggi, "Sparsified SGD with Memory", NeurIPS 2018, algorithm 1).
     *
     * @return the sum, in a new array
     */
    float[] withResidual() {
        int trainable = layout.trainable();
        float[] residual = kept.get(RESIDUAL);
        float[] whole = new float[trainable];
        for (int i = 0; i < trainable; i++) {
            whole[i] = residual == null ? values[i] : values[i] + residual[i];
        }
        return whole;
    }

    /**
     * Keeps the values that are not sent.
     *
     * @param whole the result of {@link #withResidual}; overwritten by the difference from the sent
     *     values
     */
    void keepResidual(float[] whole) {
        for (int i = 0; i < whole.length; i++) {
            whole[i] -= values[i];
        }
        keeps.put(RESIDUAL, whole);
    }
}
