package dev.levee.federated.steps;

import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.Position;

/**
 * Nesterov's momentum in PyTorch's form: v ← μ·v + g; x ← x − η·(g + μ·v). DiLoCo (Douillard et al.
 * 2023) uses it as the outer step, with μ = 0.9 and η = 0.7.
 */
public record Nesterov(double momentum) implements Optimizer {
    @Override
    public int moments() {
        return 1;
    }

    @Override
    public void step(
            Position from, float[] aggregate, int length, long step, double rate, Position to) {
        float eta = (float) rate;
        float mu = (float) momentum;
        for (int i = 0; i < length; i++) {
            float g = aggregate[i];
            float v = mu * from.moments()[0][i] + g;
            to.moments()[0][i] = v;
            to.x()[i] = from.x()[i] - eta * (g + mu * v);
        }
    }
}
