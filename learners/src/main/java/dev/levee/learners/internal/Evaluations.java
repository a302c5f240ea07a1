package dev.levee.learners.internal;

import dev.levee.connectors.data.Batch;
import dev.levee.connectors.data.Dataset;
import dev.levee.learners.Evaluation;

import java.util.function.Function;
import java.util.stream.IntStream;

/** Walks a data set in order, a fixed number of samples at a time, so that sums never differ. */
public final class Evaluations {
    /** Samples scored at a time. */
    static final int BATCH = 250;

    /**
     * How a model does on one batch.
     *
     * @param loss sum of the samples' losses
     * @param correct number of samples classified correctly
     */
    public record Score(double loss, int correct) {}

    private Evaluations() {}

    /** Evaluates batch by batch. */
    public static Evaluation run(Dataset data, Function<Batch, Score> scorer) {
        double loss = 0;
        int correct = 0;
        for (int from = 0; from < data.size(); from += BATCH) {
            int to = Math.min(data.size(), from + BATCH);
            Score score = scorer.apply(data.batch(IntStream.range(from, to).toArray()));
            loss += score.loss();
            correct += score.correct();
        }
        return new Evaluation(data.size(), loss / data.size(), (double) correct / data.size());
    }
}
