package dev.levee.federated.steps;

import dev.levee.operators.rounds.optimizer.Optimizer;

/**
 * Nesterov's momentum in the form that PyTorch has: v ← μ·v + g; x ← x − η·(g + μ·v). The outer
 * step of DiLoCo (Douillard et al. 2023) with μ = 0.9 and η = 0.7.
 */
public record Nesterov(double momentum) implements Optimizer {
    @Override
    public int moments() {
        return 1;
    }

    @Override
    public void step(
            float[] parameters,
            float[] aggregate,
            float[][] moments,
            int length,
            long step,
            double learningRate,
            float[] newParameters,
            float[][] newMoments) {
        float eta = (float) learningRate;
        float mu = (float) momentum;
        for (int i = 0; i < length; i++) {
            float g = aggregate[i];
            float v = mu * moments[0][i] + g;
            newMoments[0][i] = v;
            newParameters[i] = parameters[i] - eta * (g + mu * v);
        }
    }
}
