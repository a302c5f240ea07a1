package dev.levee.operators.rounds.scoring;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.connectors.data.WrappedDataset;
import dev.levee.gar.Draws;
import dev.levee.gar.GradientScored;
import dev.levee.learners.Learner;
import dev.levee.operators.rounds.participant.HeldOut;
import dev.levee.operators.rounds.participant.Sampler;
import dev.levee.operators.rounds.training.Training;

import java.util.HashMap;
import java.util.Map;

/**
 * Computes the scores of contributions: F(x) − F(x − γv) (Xie, Koyejo, Gupta, ICML 2019, definition
 * 2). F is the mean loss on a batch of the oracle's samples, which is drawn by seed and version.
 * {@link GradientScored} rules compute scores from the gradient of F at x instead. Equal tasks have
 * equal scores on any machine. Used by one thread at a time.
 */
public final class Scores implements AutoCloseable {
    /** An id for the oracle's draws that no participant has. */
    private static final int NOBODY = -1;

    /** A model's loss, or its gradient and the gradient's squared norm. */
    private record Known(long version, double loss, float[] gradient, double square) {}

    private final Training training;
    private final Dataset data;
    private final Sampler sampler;
    private final Learner learner;
    private final Map<Integer, Known> known = new HashMap<>();

    /**
     * Opens the oracle's data and a learner of the training's model.
     *
     * @throws IllegalArgumentException if the data set cannot be opened or has too few samples
     */
    public Scores(Training training) {
        this.training = training;
        String own = training.oracle().uri();
        data = Datasets.open(own == null ? training.data().uri() : own, Datasets.Split.TRAIN);
        sampler = new Sampler(HeldOut.server(training, data), training.seed(), NOBODY);
        learner = training.model().newLearner();
    }

    /** The score of a contribution; NaN if a loss is not finite. */
    public double score(Scoring.Task task) {
        Known of = known.get(task.server());
        if (of == null || of.version() != task.version()) {
            of = know(task);
            known.put(task.server(), of);
        }
        if (training.rule() instanceof GradientScored rule) {
            float[] row = task.contribution();
            return rule.score(
                    product(of.gradient(), row),
                    of.square(),
                    product(row, row),
                    task.learningRate());
        }
        double score =
                of.loss() - loss(stepped(task), new WrappedDataset.Part(data, samples(task)));
        return Double.isFinite(score) ? score : Double.NaN;
    }

    private Known know(Scoring.Task task) {
        int[] samples = samples(task);
        if (!(training.rule() instanceof GradientScored)) {
            double loss = loss(task.model(), new WrappedDataset.Part(data, samples));
            return new Known(task.version(), loss, null, Double.NaN);
        }
        long seed = Draws.key(training.seed(), NOBODY, task.version());
        float[] gradient = learner.gradient(task.model(), data.batch(samples), seed).values();
        return new Known(task.version(), Double.NaN, gradient, product(gradient, gradient));
    }

    private int[] samples(Scoring.Task task) {
        int size = training.oracle().batchSize();
        return sampler.next(task.version() * size, size);
    }

    /** Inner product over the trainable coordinates. */
    private double product(float[] a, float[] b) {
        int trainable = training.model().layout().trainable();
        double sum = 0;
        for (int i = 0; i < trainable; i++) {
            sum += (double) a[i] * b[i];
        }
        return sum;
    }

    private double loss(float[] parameters, Dataset batch) {
        return learner.evaluate(parameters, batch).loss();
    }

    /**
     * The model after one plain step along the contribution; coordinates that are not trained do
     * not change.
     */
    private float[] stepped(Scoring.Task task) {
        float[] stepped = task.model().clone();
        float[] contribution = task.contribution();
        double learningRate = task.learningRate();
        int trainable = training.model().layout().trainable();
        for (int i = 0; i < trainable; i++) {
            stepped[i] = (float) (stepped[i] - learningRate * contribution[i]);
        }
        return stepped;
    }

    @Override
    public void close() {
        learner.close();
    }
}
