package dev.levee.federated.compression;

import dev.levee.learners.Layout;

import java.util.Map;

/**
 * The change that a device has made in a round.
 *
 * @param values x − w, changed in place, then buffers
 * @param layout the layout of the model
 * @param key the key of random draws: a function of run, round and device
 * @param kept by the device; only read
 * @param keeps receives what the device must keep
 */
public record Change(
        float[] values,
        Layout layout,
        long key,
        Map<String, float[]> kept,
        Map<String, float[]> keeps) {
    private static final String RESIDUAL = "residual";

    /**
     * Adds to the change what earlier rounds did not send (error feedback: Stich, Cordonnier,
     * Jaggi, "Sparsified SGD with Memory", NeurIPS 2018, algorithm 1).
     *
     * @return both together, in an array of its own
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
     * Keeps what is not sent.
     *
     * @param whole as {@link #withResidual} returned it; overwritten by the difference from what is
     *     sent
     */
    void keepResidual(float[] whole) {
        for (int i = 0; i < whole.length; i++) {
            whole[i] -= values[i];
        }
        keeps.put(RESIDUAL, whole);
    }
}
