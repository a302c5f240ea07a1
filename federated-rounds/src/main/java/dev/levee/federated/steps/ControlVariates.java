package dev.levee.federated.steps;

import java.util.Map;

/**
 * SCAFFOLD (Karimireddy, Kale, Mohri, Reddi, Stich, Suresh, "SCAFFOLD: Stochastic Controlled
 * Averaging for Federated Learning", ICML 2020, algorithm 1 with option II): each step is along g −
 * c_i + c. Afterward, c_i ← c_i − c + (x − w)/(Kη) for K steps of size η, and c, the mean of all
 * c_i, changes by the devices' mean change times their share. A device keeps c_i. The vector c
 * follows the model as a buffer, of which the server takes the mean. Both are zero at first.
 */
public record ControlVariates() implements Correction {
    private static final String OWN = "control";

    @Override
    public String name() {
        return "control-variates";
    }

    @Override
    public int carried() {
        return 1;
    }

    @Override
    public float[] term(float[] x, int trainable, Map<String, float[]> kept) {
        float[] own = own(trainable, kept);
        int behind = x.length - trainable;
        float[] term = new float[trainable];
        for (int i = 0; i < trainable; i++) {
            term[i] = x[behind + i] - own[i];
        }
        return term;
    }

    @Override
    public void finish(Done done, Map<String, float[]> kept, Map<String, float[]> keeps) {
        int trainable = done.trainable();
        float[] own = own(trainable, kept);
        float[] next = new float[trainable];
        int behind = done.x().length - trainable;
        float distance = (float) done.distance();
        float share = (float) done.share();
        for (int i = 0; i < trainable; i++) {
            float c = done.x()[behind + i];
            float change = done.values()[i] / distance - c;
            next[i] = own[i] + change;
            done.values()[behind + i] = c + share * change;
        }
        keeps.put(OWN, next);
    }

    private static float[] own(int trainable, Map<String, float[]> kept) {
        float[] own = kept.get(OWN);
        return own == null ? new float[trainable] : own;
    }
}
