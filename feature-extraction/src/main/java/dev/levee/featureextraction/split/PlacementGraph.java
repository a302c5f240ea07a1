package dev.levee.featureextraction.split;

import dev.levee.learners.layers.LayerSummary;
import dev.levee.learners.layers.LayeredNetwork;
import dev.levee.operators.placement.graph.Operator;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.graph.Output;
import dev.levee.operators.placement.graph.PassDirection;

import java.util.List;

/** Converts a network's profile to a graph of operators to be placed. */
public final class PlacementGraph {
    private PlacementGraph() {}

    /**
     * The graph of a training step: a forward and a backward operator for each layer, colocated in
     * pairs. A layer's output and intermediate values are held until the backward operators that
     * need them have run. Persistent memory holds a layer's parameters and buffers, a gradient for
     * each trained parameter, and the optimizer's vectors.
     *
     * @param times the times of one image on a device of speed 1
     * @param batch images per step
     * @param vectors number of values that the optimizer keeps per trained parameter
     */
    public static OperatorGraph training(
            LayeredNetwork network, TrainingTimes times, int batch, int vectors) {
        OperatorGraph.Builder graph = new OperatorGraph.Builder();
        List<LayerSummary> layers = network.layers();
        int size = layers.size();
        for (int i = 0; i < size; i++) {
            long inner = network.innerBytes(i) + (i == 0 ? network.bytes(network.start()) : 0);
            graph.add(
                    Operator.of(
                                    name(layers.get(i)),
                                    times.forward(from(network, i), to(network, i)) * batch)
                            .withPersistent(persistent(network, i, vectors))
                            .withOutputs(layers.get(i).bytes() * batch, inner * batch)
                            .withGroup("layer " + i));
        }
        for (int i = size - 1; i >= 0; i--) {
            List<Output> gradient =
                    i == 0 ? List.of() : List.of(Output.of(layers.get(i - 1).bytes() * batch));
            graph.add(
                    Operator.of(
                                    name(layers.get(i)) + ".backward",
                                    times.backward(from(network, i), to(network, i)) * batch)
                            .withTemporary(network.innerBytes(i) * batch)
                            .withOutputs(gradient)
                            .withGroup("layer " + i)
                            .withPhase(PassDirection.BACKWARD));
        }
        for (int i = 0; i < size; i++) {
            int backward = 2 * size - 1 - i;
            graph.read(i, 0, backward).read(i, 1, backward);
            if (i > 0) {
                graph.read(i - 1, 0, i).read(i - 1, 0, backward).read(backward, 0, backward + 1);
            }
        }
        return graph.build();
    }

    /**
     * Peak memory of the tensors of a pipeline's stage, in bytes. It includes the stage's
     * parameters and buffers, a gradient for each trained parameter, and, for each micro-batch
     * between its forward and backward pass, the stage's input and the outputs of its layers.
     *
     * @param first index of the first layer
     * @param last index of the last layer
     * @param samples samples per micro-batch
     * @param held number of micro-batches between their two passes
     * @param recompute true if these micro-batches, except for the one being computed, keep only
     *     their inputs
     */
    public static long stageBytes(
            LayeredNetwork network, int first, int last, int samples, int held, boolean recompute) {
        long persistent = 0;
        long outputs = 0;
        for (int i = first; i <= last; i++) {
            persistent += persistent(network, i, 0);
            outputs += network.layers().get(i).bytes() + network.innerBytes(i);
        }
        long inputs = network.bytes(network.after(first - 1));
        return persistent
                + samples
                        * (recompute
                                ? held * inputs + inputs + outputs
                                : held * (inputs + outputs));
    }

    private static String name(LayerSummary layer) {
        return layer.index() + "." + layer.name();
    }

    private static int from(LayeredNetwork network, int layer) {
        return network.after(layer - 1).steps();
    }

    private static int to(LayeredNetwork network, int layer) {
        return network.after(layer).steps();
    }

    private static long persistent(LayeredNetwork network, int layer, int vectors) {
        long trained = network.layers().get(layer).parameters();
        long all = network.section(network.after(layer - 1), network.after(layer)).layout().size();
        return (all + trained * (1L + vectors)) * Float.BYTES;
    }
}
