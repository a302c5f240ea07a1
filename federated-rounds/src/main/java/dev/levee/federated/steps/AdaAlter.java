package dev.levee.federated.steps;

import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.Position;

/**
 * A device's steps of Local AdaAlter (Xie, Koyejo, Gupta, Lin, "Local AdaAlter:
 * Communication-Efficient Stochastic Gradient Descent with Adaptive Learning Rates", 2019,
 * algorithm 4): x ← x − η·g/√(h + ε). The h is that of the start of the round, which is the same on
 * all devices. Meanwhile, h′ ← h′ + g² sums up the denominator of the next round.
 *
 * @param epsilon ε, above 0
 */
public record AdaAlter(double epsilon) implements Optimizer {
    public AdaAlter {
        if (!(epsilon > 0 && epsilon < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("ε must be a number above 0, got " + epsilon);
        }
    }

    /** h′, and h. */
    @Override
    public int moments() {
        return 2;
    }

    @Override
    public int carried() {
        return 1;
    }

    @Override
    public boolean adaptive() {
        return true;
    }

    /** Takes a step. Steps of a round are counted from 0; at step 0, h is set to h′. */
    @Override
    public void step(
            Position from, float[] aggregate, int length, long step, double rate, Position to) {
        float[] frozen = step == 0 ? from.moments()[0] : from.moments()[1];
        float eta = (float) rate;
        float floor = (float) epsilon;
        for (int i = 0; i < length; i++) {
            float g = aggregate[i];
            float h = frozen[i];
            to.moments()[0][i] = from.moments()[0][i] + g * g;
            to.moments()[1][i] = h;
            to.x()[i] = from.x()[i] - eta * g / (float) Math.sqrt(h + floor);
        }
    }
}
