package dev.levee.learners;

import dev.levee.connectors.data.Batch;
import dev.levee.connectors.data.Dataset;

import java.util.List;

/**
 * A model whose learners compute the gradient of a batch in passes of at most so many samples, one
 * after the other, and keep their mean (gradient accumulation): memory for activations is that of a
 * pass, however large the batch. The sum is in another order than in one pass, so the gradient
 * differs in its last digits; buffers become the mean of what each pass makes of them, and a
 * network that normalizes by batch does so by pass.
 *
 * @param model the model itself
 * @param most samples of a pass, at least 1
 */
public record MicroBatchModel(Model model, int most) implements Model {
    private static final long serialVersionUID = 1L;

    /** Between seeds of passes; the first pass has the batch's own. */
    private static final long SEED_STEP = 0x9E3779B97F4A7C15L;

    /**
     * Checks that passes have samples.
     *
     * @throws IllegalArgumentException if they have none; one sentence
     */
    public MicroBatchModel {
        if (most < 1) {
            throw new IllegalArgumentException(
                    "a pass needs at least 1 sample, got %d".formatted(most));
        }
    }

    @Override
    public String name() {
        return model.name();
    }

    @Override
    public Layout layout() {
        return model.layout();
    }

    @Override
    public float[] initialParameters(long seed) {
        return model.initialParameters(seed);
    }

    @Override
    public void requireNatives() {
        model.requireNatives();
    }

    @Override
    public List<Score> scores() {
        return model.scores();
    }

    @Override
    public boolean ownCode() {
        return model.ownCode();
    }

    @Override
    public Learner newLearner() {
        return new Accumulating(model.newLearner(), most);
    }

    /** Adds up passes. */
    private static final class Accumulating implements Learner {
        private final Learner learner;
        private final int most;
        private long workingSet;

        Accumulating(Learner learner, int most) {
            this.learner = learner;
            this.most = most;
        }

        @Override
        public Gradient gradient(float[] parameters, Batch batch, long seed) {
            int size = batch.size();
            if (size <= most) {
                Gradient whole = learner.gradient(parameters, batch, seed);
                workingSet = learner.workingSet();
                return whole;
            }
            workingSet = 0;
            int passes = (size - 1) / most + 1;
            float[] mean = null;
            double loss = 0;
            for (int pass = 0; pass < passes; pass++) {
                int from = (int) ((long) size * pass / passes);
                int to = (int) ((long) size * (pass + 1) / passes);
                Gradient next =
                        learner.gradient(parameters, batch.part(from, to), seed + pass * SEED_STEP);
                workingSet = Math.max(workingSet, learner.workingSet());
                loss += next.loss() * (to - from) / size;
                mean = mean == null ? next.values() : joined(mean, next.values(), from, to);
            }
            return new Gradient(mean, loss);
        }

        /** The mean over samples before {@code to}, from that of those before {@code from}. */
        private static float[] joined(float[] mean, float[] next, int from, int to) {
            double share = (double) (to - from) / to;
            for (int i = 0; i < mean.length; i++) {
                mean[i] = (float) ((1 - share) * mean[i] + share * next[i]);
            }
            return mean;
        }

        @Override
        public long workingSet() {
            return workingSet;
        }

        @Override
        public Evaluation evaluate(float[] parameters, Dataset data) {
            return learner.evaluate(parameters, data);
        }

        @Override
        public void close() {
            learner.close();
        }
    }
}
