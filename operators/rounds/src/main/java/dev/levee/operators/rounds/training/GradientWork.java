package dev.levee.operators.rounds.training;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.learners.Gradient;
import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.fault.WrongTrainingException;

import java.util.Map;

/**
 * Computes one gradient at the server's model, smoothed by the worker's momentum: m ← μ·m + (1 −
 * μ)·g (Karimireddy, He, Jaggi, "Learning from History for Byzantine Robust Optimization", ICML
 * 2021, algorithm 2).
 *
 * @param momentum μ, 0 for none
 */
public record GradientWork(double momentum) implements Work {
    private static final String MOMENTUM = "momentum";

    /**
     * Checks the momentum.
     *
     * @throws WrongTrainingException if old gradients would never decay; one sentence
     */
    public GradientWork {
        require(
                momentum >= 0 && momentum < 1,
                "{momentum} must be a number of at least 0 and below 1, got %s",
                momentum);
    }

    @Override
    public Result work(
            Work.Task task, Map<String, float[]> kept, int trainable, Gradients gradients) {
        Gradient gradient = gradients.at(task.parameters(), 0);
        // The sent and the kept vector are never changed, so they may be the same array.
        float[] both = sent(kept.get(MOMENTUM), gradient.values(), trainable);
        return new Result(
                both,
                1,
                gradient.loss(),
                recovered(both),
                NOTHING,
                gradients.halves(),
                null,
                gradient.unread());
    }

    @Override
    public boolean blockwise() {
        return true;
    }

    @Override
    public boolean keepsSent() {
        return momentum > 0;
    }

    @Override
    public float[] sent(float[] before, float[] gradient, int trainable) {
        if (momentum > 0 && before != null) {
            smooth(before, gradient, trainable);
        }
        return gradient;
    }

    /** Returns the contribution, because it is the momentum. */
    @Override
    public Map<String, float[]> recovered(float[] sent) {
        return momentum == 0 ? Map.of() : Map.of(MOMENTUM, sent);
    }

    private void smooth(float[] old, float[] gradient, int trainable) {
        if (old.length != gradient.length) {
            throw new RunFailedException(
                    "the momentum of a worker has %d coordinates, and its gradient %d: the state is that of a run with other stages"
                            .formatted(old.length, gradient.length));
        }
        float mu = (float) momentum;
        for (int i = 0; i < trainable; i++) {
            gradient[i] = mu * old[i] + (1 - mu) * gradient[i];
        }
    }
}
