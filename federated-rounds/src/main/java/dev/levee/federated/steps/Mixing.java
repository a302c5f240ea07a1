package dev.levee.federated.steps;

import dev.levee.operators.rounds.optimizer.Optimizer;

/**
 * x ← (1 − α)x + α·m, with m the devices' model: FedAsync's step (Xie, Koyejo and Gupta 2019,
 * algorithm 1). Unlike a step of size α along x − m it knows m itself, which for a stale
 * contribution is not what the server's model less the device's difference comes to. Buffers are
 * mixed like parameters.
 */
public record Mixing() implements Optimizer {
    @Override
    public int moments() {
        return 0;
    }

    @Override
    public boolean stepsBuffers() {
        return true;
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
        float alpha = (float) learningRate;
        for (int i = 0; i < length; i++) {
            newParameters[i] = parameters[i] + alpha * (aggregate[i] - parameters[i]);
        }
    }
}
