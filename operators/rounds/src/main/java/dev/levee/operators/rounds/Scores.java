package dev.levee.operators.rounds;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.learners.Learner;

import java.util.HashMap;
import java.util.Map;

/**
 * The scores of contributions: F(x) − F(x − γv), where F is the mean loss on a batch that is drawn
 * by seed and round from the oracle's samples (Xie, Koyejo, Gupta, ICML 2019, definition 2). Equal
 * tasks have equal scores, anywhere. Used by one thread at a time.
 */
public final class Scores implements AutoCloseable {
    /** Participants are counted from 0, so nobody else draws in this order. */
    private static final int NOBODY = -1;

    private record Before(long round, double loss) {}

    private record Batch(Dataset data, int[] samples) implements Dataset {
        @Override
        public int size() {
            return samples.length;
        }

        @Override
        public int[] shape() {
            return data.shape();
        }

        @Override
        public int classes() {
            return data.classes();
        }

        @Override
        public int label(int index) {
            return data.label(samples[index]);
        }

        @Override
        public int targets() {
            return data.targets();
        }

        @Override
        public void readTargets(int index, float[] out, int offset) {
            data.readTargets(samples[index], out, offset);
        }

        @Override
        public void read(int index, float[] out, int offset) {
            data.read(samples[index], out, offset);
        }
    }

    private final Training training;
    private final Dataset data;
    private final Sampler sampler;
    private final Learner learner;
    private final Map<Integer, Before> before = new HashMap<>();

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
        int size = training.oracle().batchSize();
        Batch batch = new Batch(data, sampler.next(task.round() * size, size));
        Before known = before.get(task.server());
        if (known == null || known.round() != task.round()) {
            known = new Before(task.round(), loss(task.model(), batch));
            before.put(task.server(), known);
        }
        double score = known.loss() - loss(stepped(task), batch);
        return Double.isFinite(score) ? score : Double.NaN;
    }

    private double loss(float[] parameters, Batch batch) {
        return learner.evaluate(parameters, batch).loss();
    }

    /** The model one plain step along the contribution; what is not stepped stays. */
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
