package dev.levee.learners.internal;

import dev.levee.connectors.data.Batch;
import dev.levee.connectors.data.Dataset;
import dev.levee.learners.Evaluation;
import dev.levee.learners.Task;

import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** Walks a data set in order, a fixed number of samples at a time, so that sums never differ. */
public final class Evaluations {
    /** Samples scored at a time. */
    static final int BATCH = 250;

    /**
     * What a model made of one batch.
     *
     * @param outputs of all samples, one after the other
     * @param loss sum of the samples' losses
     */
    public record Outputs(float[] outputs, double loss) {}

    private Evaluations() {}

    /** Evaluates a task batch by batch. */
    public static Evaluation run(Dataset data, Task task, Function<Batch, Outputs> model) {
        Tally tally = Tally.of(task, data.size());
        double loss =
                meanLoss(
                        data,
                        batch -> {
                            Outputs made = model.apply(batch);
                            tally.add(made.outputs(), batch);
                            return made.loss();
                        });
        return new Evaluation(data.size(), loss, tally.scores());
    }

    /** Evaluates a model that has a loss and no scores. */
    public static Evaluation unscored(Dataset data, ToDoubleFunction<Batch> losses) {
        return new Evaluation(data.size(), meanLoss(data, losses), Map.of());
    }

    private static double meanLoss(Dataset data, ToDoubleFunction<Batch> losses) {
        double loss = 0;
        for (int from = 0; from < data.size(); from += BATCH) {
            int to = Math.min(data.size(), from + BATCH);
            loss += losses.applyAsDouble(data.batch(IntStream.range(from, to).toArray()));
        }
        return loss / data.size();
    }
}
