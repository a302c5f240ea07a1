package dev.levee.operators.testing.fuzz;

import dev.levee.gar.Draws;
import dev.levee.learners.Gradient;
import dev.levee.learners.Layout;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.learners.Segment;
import dev.levee.operators.rounds.scoring.Scoring;
import dev.levee.operators.rounds.training.Work;
import dev.levee.operators.testing.GradientSource;

import java.util.List;
import java.util.SplittableRandom;

/**
 * A tiny problem with a closed-form gradient. Each worker's loss has its minimum at a point of its
 * own, which it sees with noise that depends on the round. Some answers may have NaN in one
 * coordinate.
 *
 * @param trainable coordinates that are stepped
 * @param buffers number of coordinates after them that are replaced
 * @param seed the seed of the points and the noise
 * @param broken probability that an answer has a NaN, for workers with an id below {@code breakers}
 * @param breakers number of workers whose answers may have NaN
 */
public record Quadratics(int trainable, int buffers, long seed, double broken, int breakers)
        implements Model, GradientSource {
    @Override
    public Gradient gradient(Work.Task task) {
        SplittableRandom point = new SplittableRandom(Draws.key(seed, task.worker()));
        SplittableRandom noise = new SplittableRandom(Draws.key(seed, task.worker(), task.round()));
        float[] values = new float[trainable + buffers];
        double loss = 0;
        for (int i = 0; i < values.length; i++) {
            float target = (float) (2 * point.nextDouble() - 1);
            float x = task.parameters()[i];
            values[i] =
                    i < trainable
                            ? x - target + 0.1f * (float) noise.nextDouble()
                            : 0.5f * x + 0.5f * target;
            loss += 0.5 * (x - target) * (x - target);
        }
        if (task.worker() < breakers && noise.nextDouble() < broken) {
            values[noise.nextInt(values.length)] = Float.NaN;
        }
        return new Gradient(values, loss);
    }

    /** Scores with the server's loss, whose minimum is at a point of its own, too. */
    @Override
    public double score(Scoring.Task task) {
        SplittableRandom point = new SplittableRandom(Draws.key(seed, -1));
        double score = 0;
        for (int i = 0; i < trainable; i++) {
            float target = (float) (2 * point.nextDouble() - 1);
            double before = task.model()[i] - target;
            double after = before - task.learningRate() * task.contribution()[i];
            score += 0.5 * (before * before - after * after);
        }
        return score;
    }

    @Override
    public String name() {
        return "quadratics";
    }

    @Override
    public Layout layout() {
        return new Layout(
                List.of(
                        new Segment("x", new long[] {trainable}, 0, true),
                        new Segment("buffer", new long[] {buffers}, trainable, false)));
    }

    @Override
    public float[] initialParameters(long modelSeed) {
        SplittableRandom random = new SplittableRandom(modelSeed);
        float[] parameters = new float[trainable + buffers];
        for (int i = 0; i < parameters.length; i++) {
            parameters[i] = (float) (2 * random.nextDouble() - 1);
        }
        return parameters;
    }

    @Override
    public Learner newLearner() {
        throw new UnsupportedOperationException("quadratics are computed by the driver");
    }
}
