package dev.levee.learners.internal;

import dev.levee.connectors.data.Batch;
import dev.levee.connectors.data.Dataset;
import dev.levee.learners.Evaluation;
import dev.levee.learners.Task;
import dev.levee.learners.internal.network.InnerOutputs;
import dev.levee.learners.internal.network.Layer;
import dev.levee.learners.internal.network.Network;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Evaluates a data set in order, a fixed number of samples at a time, so that sums always have the
 * same bits.
 */
public final class Evaluations {
    /** Maximum number of samples that are evaluated at a time. */
    static final int BATCH = 250;

    /** Maximum number of floats in the samples that are evaluated at a time, 32 MiB. */
    private static final long MOST_FLOATS = 1 << 23;

    /**
     * Maximum number of bytes that a layer computes for these samples, unless one sample takes
     * more.
     */
    private static final long LARGEST_OUTPUT = 1 << 24;

    /**
     * A model's outputs for one batch.
     *
     * @param outputs outputs of all samples, one after another
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

    /** Evaluates a model that has a loss but no scores. */
    public static Evaluation unscored(Dataset data, ToDoubleFunction<Batch> losses) {
        return new Evaluation(data.size(), meanLoss(data, losses), Map.of());
    }

    private static double meanLoss(Dataset data, ToDoubleFunction<Batch> losses) {
        double loss = 0;
        int batch = batch(data.shape());
        for (int from = 0; from < data.size(); from += batch) {
            int to = Math.min(data.size(), from + batch);
            loss += losses.applyAsDouble(data.batch(IntStream.range(from, to).toArray()));
        }
        return loss / data.size();
    }

    /** Maximum number of samples that go through a network together. */
    public static int atOnce(Network network) {
        return (int) Math.max(1, LARGEST_OUTPUT / largestOutput(network));
    }

    /**
     * The largest number of bytes that a layer computes for one sample, including intermediate
     * results.
     */
    private static long largestOutput(Network network) {
        long largest = 1;
        int[] shape = network.shape();
        for (Layer layer : network.layers()) {
            int[] output = layer.output(shape);
            long floats = IntStream.of(output).asLongStream().reduce(1, (a, b) -> a * b);
            floats += InnerOutputs.values(List.of(layer), shape);
            largest = Math.max(largest, floats * Float.BYTES);
            shape = output;
        }
        return largest;
    }

    /** Number of samples of a shape that are evaluated at a time. */
    public static int batch(int[] shape) {
        long floats = IntStream.of(shape).asLongStream().reduce(1, (a, b) -> a * b);
        return (int) Math.max(1, Math.min(BATCH, MOST_FLOATS / floats));
    }
}
