package dev.levee.operators.placement;

import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.graph.Phase;
import dev.levee.operators.placement.schedule.Schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The order in which a stage runs the passes of its micro-batches. Backward passes are in order,
 * too.
 */
public enum PipelineOrder {
    /** All forward passes, then all backward passes (Huang et al. 2019). */
    GPIPE("gpipe") {
        @Override
        int warmUp(int stage, int stages, int microBatches) {
            return microBatches;
        }
    },
    /**
     * One forward, one backward: stage s of k starts with k − s forward passes, and from then on
     * holds the activations of no more (PipeDream-Flush; Narayanan et al. 2021). Needs contiguous
     * stages.
     */
    ONE_FORWARD_ONE_BACKWARD("1f1b") {
        @Override
        int warmUp(int stage, int stages, int microBatches) {
            return Math.min(microBatches, stages - stage);
        }
    };

    private final String label;

    PipelineOrder(String label) {
        this.label = label;
    }

    /** The name on the command line. */
    public String label() {
        return label;
    }

    /**
     * The order of a name.
     *
     * @throws IllegalArgumentException if there is none; half a sentence
     */
    public static PipelineOrder parse(String name) {
        return Arrays.stream(values())
                .filter(each -> each.label.equals(name.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("must be gpipe or 1f1b, got " + name));
    }

    /** Forward passes before the first backward pass. */
    abstract int warmUp(int stage, int stages, int microBatches);

    /** Maximum number of micro-batches whose activations a device holds at once. */
    int held(int devices, int microBatches) {
        return warmUp(0, devices, microBatches);
    }

    /**
     * For each device its operators in order, in a graph of micro-batches.
     *
     * @param graph of one micro-batch
     * @param schedule of the same
     */
    int[][] sequences(OperatorGraph graph, Schedule schedule, int devices, int microBatches) {
        int[][] single = schedule.sequences(devices);
        // Stages are in the order in which a batch reaches them.
        List<Integer> stages =
                IntStream.range(0, devices)
                        .filter(d -> single[d].length > 0)
                        .boxed()
                        .sorted(Comparator.comparingDouble(d -> schedule.start(single[d][0])))
                        .toList();
        int[][] sequences = new int[devices][0];
        for (int stage = 0; stage < stages.size(); stage++) {
            int d = stages.get(stage);
            int[] forward = of(graph, single[d], Phase.FORWARD);
            int[] backward = of(graph, single[d], Phase.BACKWARD);
            int warm = warmUp(stage, stages.size(), microBatches);
            List<Integer> order = new ArrayList<>();
            for (int b = 0; b < warm; b++) {
                add(order, forward, b, graph.size());
            }
            for (int b = 0; b < microBatches; b++) {
                add(order, backward, b, graph.size());
                if (warm + b < microBatches) {
                    add(order, forward, warm + b, graph.size());
                }
            }
            sequences[d] = order.stream().mapToInt(Integer::intValue).toArray();
        }
        return sequences;
    }

    private static int[] of(OperatorGraph graph, int[] sequence, Phase phase) {
        return Arrays.stream(sequence).filter(id -> graph.operator(id).phase() == phase).toArray();
    }

    private static void add(List<Integer> order, int[] pass, int microBatch, int size) {
        for (int id : pass) {
            order.add(microBatch * size + id);
        }
    }
}
