package dev.levee.federated.steps;

import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.Position;

import java.util.Map;

/**
 * FedDyn (Acar, Zhao, Navarro, Mattina, Whatmough, Saligrama, "Federated Learning Based on Dynamic
 * Regularization", ICLR 2021, algorithm 1): each step is along g − g_k + α(w − x). The device keeps
 * g_k, which is zero at first and becomes g_k − α(w − x) after a round. The server steps by the
 * mean of x − w plus u, where u is the sum of x − w over all rounds and devices, divided by the
 * number of all devices; u is h/α in the paper.
 *
 * @param alpha α, above 0
 */
public record DynamicRegularizer(double alpha) implements Correction {
    static final double ALPHA = 0.1;

    private static final String OWN = "regularizer";

    /**
     * Checks the number.
     *
     * @throws IllegalArgumentException if it is not above 0; one sentence
     */
    public DynamicRegularizer {
        if (!(alpha > 0 && alpha < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("dynamic needs an alpha above 0, got " + alpha);
        }
    }

    @Override
    public String name() {
        return "dynamic(alpha=%s)".formatted(alpha);
    }

    @Override
    public double proximal() {
        return alpha;
    }

    @Override
    public float[] term(float[] x, int trainable, Map<String, float[]> kept) {
        float[] term = new float[trainable];
        float[] own = kept.getOrDefault(OWN, term);
        for (int i = 0; i < trainable; i++) {
            term[i] = -own[i];
        }
        return term;
    }

    @Override
    public void finish(Done done, Map<String, float[]> kept, Map<String, float[]> keeps) {
        float[] next = new float[done.trainable()];
        float[] own = kept.getOrDefault(OWN, next);
        float factor = (float) alpha;
        for (int i = 0; i < next.length; i++) {
            next[i] = own[i] + factor * done.values()[i];
        }
        keeps.put(OWN, next);
    }

    @Override
    public Optimizer server(Optimizer own, double share) {
        return new Step(share);
    }

    /**
     * The server's step: u ← u + share·g, x ← x − η(g + u), where g is the mean of x − w.
     *
     * @param share share of all devices that a round asks
     */
    record Step(double share) implements Optimizer {
        @Override
        public int moments() {
            return 1;
        }

        @Override
        public void step(
                Position from, float[] aggregate, int length, long step, double rate, Position to) {
            float eta = (float) rate;
            float part = (float) share;
            for (int i = 0; i < length; i++) {
                float u = from.moments()[0][i] + part * aggregate[i];
                to.moments()[0][i] = u;
                to.x()[i] = from.x()[i] - eta * (aggregate[i] + u);
            }
        }
    }
}
