package dev.levee.federated.steps;

import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.Position;

/**
 * x ← (1 − α)x + α·m, where m is the devices' model: FedAsync's step (Xie, Koyejo and Gupta 2019,
 * algorithm 1). It needs m itself, not a difference: for a stale contribution, m is not the
 * server's current model minus the device's difference. Buffers are mixed like parameters.
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
            Position from, float[] aggregate, int length, long step, double rate, Position to) {
        float alpha = (float) rate;
        for (int i = 0; i < length; i++) {
            to.x()[i] = from.x()[i] + alpha * (aggregate[i] - from.x()[i]);
        }
    }
}
