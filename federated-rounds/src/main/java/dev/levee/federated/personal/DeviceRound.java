package dev.levee.federated.personal;

import dev.levee.learners.Gradient;
import dev.levee.learners.Model;
import dev.levee.operators.rounds.training.Work;

import java.util.Map;

/**
 * A device's data in a round.
 *
 * @param model the model that is trained
 * @param seed the seed of the run, which determines the initial model
 * @param x the server's model, possibly followed by carried vectors; only read
 * @param trainable number of its trained values
 * @param version the version of x
 * @param rate size of the device's steps
 * @param steps number of batches of the round
 * @param kept vectors that the device kept; only read
 * @param gradients computes gradients on the round's batches
 */
public record DeviceRound(
        Model model,
        long seed,
        float[] x,
        int trainable,
        long version,
        double rate,
        int steps,
        Map<String, float[]> kept,
        Work.Gradients gradients) {
    /** The initial model of the run. */
    float[] first() {
        return version == 0 ? x : model.initialParameters(seed);
    }

    /**
     * Takes steps v ← v − η(g(v) + λ(v − c)), one on each batch in order, starting over if there
     * are fewer batches than steps. Buffers are those of the last step.
     *
     * @param from the initial vector; only read
     * @param center c; only read
     * @param count number of steps
     * @param eta size of a step
     */
    float[] descend(float[] from, float[] center, double lambda, int count, double eta) {
        Descent descent = new Descent(from, trainable, (float) lambda, (float) eta);
        for (int step = 0; step < count; step++) {
            descent.step(gradients.at(descent.at(), step % steps), center);
        }
        return descent.at();
    }

    /**
     * Plain steps with a proximal term, alternately in two arrays, so that consecutive vectors have
     * different ones.
     */
    static final class Descent {
        private final int trainable;
        private final float lambda;
        private final float eta;
        private float[] v;
        private float[] next;

        Descent(float[] from, int trainable, float lambda, float eta) {
            this.v = from;
            this.trainable = trainable;
            this.lambda = lambda;
            this.eta = eta;
        }

        float[] at() {
            return v;
        }

        void step(Gradient gradient, float[] center) {
            // A learner recognizes a loaded vector by its array.
            float[] to = next == null ? new float[v.length] : next;
            float[] g = gradient.values();
            for (int i = 0; i < trainable; i++) {
                to[i] = v[i] - eta * (g[i] + lambda * (v[i] - center[i]));
            }
            System.arraycopy(g, trainable, to, trainable, v.length - trainable);
            next = next == null ? new float[v.length] : v;
            v = to;
        }
    }
}
