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

/** Walks a data set in order, a fixed number of samples at a time, so that sums never differ. */
public final class Evaluations {
    /** Samples scored at a time, at most. */
    static final int BATCH = 250;

    /** Numbers of samples that are scored at a time, at most: 32 MiB. */
    private static final long MOST_FLOATS = 1 << 23;

    /** Bytes that a layer computes for them, at most, unless one sample has more. */
    private static final long LARGEST_OUTPUT = 1 << 24;

    /**
     * A model's outputs for one batch.
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
        int batch = batch(data.shape());
        for (int from = 0; from < data.size(); from += batch) {
            int to = Math.min(data.size(), from + batch);
            loss += losses.applyAsDouble(data.batch(IntStream.range(from, to).toArray()));
        }
        return loss / data.size();
    }

    /** Samples that go through a network together, at most. */
    public static int atOnce(Network network) {
        return (int) Math.max(1, LARGEST_OUTPUT / largestOutput(network));
    }

    /** Bytes that a layer gives for a sample, with what it computes on the way to it. */
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

    /** Samples of a shape that are scored at a time. */
    public static int batch(int[] shape) {
        long floats = IntStream.of(shape).asLongStream().reduce(1, (a, b) -> a * b);
        return (int) Math.max(1, Math.min(BATCH, MOST_FLOATS / floats));
    }
}
