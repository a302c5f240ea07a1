package dev.levee.federated.personal;

import dev.levee.learners.Gradient;
import dev.levee.operators.rounds.training.Work;

import java.util.Map;

/**
 * pFedMe (T. Dinh, Tran, Nguyen, "Personalized Federated Learning with Moreau Envelopes", NeurIPS
 * 2020, algorithm 1): on each batch, a device takes some steps θ ← θ − ρ(∇f(θ) + λ(θ − w)) of its
 * own model θ, and then the step w ← w − ηλ(w − θ). As in the authors' code, θ is x at the start of
 * a round and continues from batch to batch; their weight decay of 0.001 is omitted. The server's
 * mix β is its step size.
 *
 * @param lambda λ, above 0
 * @param steps number of steps of θ on each batch, K
 * @param rate ρ, null for the step size of the device's training
 */
public record MoreauEnvelopes(double lambda, int steps, Double rate) implements Personal {
    static final double LAMBDA = 15;
    static final int STEPS = 5;

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if one is not above 0; one sentence
     */
    public MoreauEnvelopes {
        Personal.requirePositive("pfedme", "lambda", lambda);
        Personal.requirePositive("pfedme", "rate", rate);
    }

    @Override
    public String name() {
        return rate == null
                ? "pfedme(lambda=%s, steps=%d)".formatted(lambda, steps)
                : "pfedme(lambda=%s, steps=%d, rate=%s)".formatted(lambda, steps, rate);
    }

    @Override
    public boolean shared() {
        return true;
    }

    @Override
    public PersonalRound round(DeviceRound device) {
        DeviceRound.Descent theta =
                new DeviceRound.Descent(
                        device.x(),
                        device.trainable(),
                        (float) lambda,
                        (float) (rate == null ? device.rate() : rate));
        return new PersonalRound() {
            @Override
            public Gradient gradient(float[] w, int step, Work.Gradients gradients) {
                double loss = 0;
                float[] values = {};
                for (int i = 0; i < steps; i++) {
                    Gradient gradient = gradients.at(theta.at(), step);
                    theta.step(gradient, w);
                    loss = i == 0 ? gradient.loss() : loss;
                    values = gradient.values();
                }
                float factor = (float) lambda;
                for (int i = 0; i < device.trainable(); i++) {
                    values[i] = factor * (w[i] - theta.at()[i]);
                }
                return new Gradient(values, loss);
            }

            @Override
            public float[] model(float[] w, Map<String, float[]> keeps) {
                return theta.at();
            }
        };
    }
}
