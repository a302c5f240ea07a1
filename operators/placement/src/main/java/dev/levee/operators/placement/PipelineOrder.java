package dev.levee.operators.placement;

import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.graph.PassDirection;
import dev.levee.operators.placement.schedule.OperatorSchedule;

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
        public int held(int stage, int stages, int microBatches) {
            return microBatches;
        }
    },
    /**
     * One forward, one backward (PipeDream-Flush; Narayanan et al. 2021). Stage s of k starts with
     * k − s forward passes, and never holds the activations of more micro-batches. Needs contiguous
     * stages.
     */
    ONE_FORWARD_ONE_BACKWARD("1f1b") {
        @Override
        public int held(int stage, int stages, int microBatches) {
            return Math.min(microBatches, stages - stage);
        }
    };

    /**
     * A pass of a micro-batch through a stage.
     *
     * @param forward true if it is the forward pass
     */
    public record Pass(boolean forward, int microBatch) {}

    private final String label;

    PipelineOrder(String label) {
        this.label = label;
    }

    /** The name on the command line. */
    public String label() {
        return label;
    }

    /**
     * The order with a name.
     *
     * @throws IllegalArgumentException if there is none; a phrase
     */
    public static PipelineOrder parse(String name) {
        return Arrays.stream(values())
                .filter(each -> each.label.equals(name.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("must be gpipe or 1f1b, got " + name));
    }

    /**
     * Maximum number of micro-batches whose activations a stage holds at once, which is also the
     * number of its forward passes before the first backward pass.
     */
    public abstract int held(int stage, int stages, int microBatches);

    /** The passes of a stage, in the order in which they run. */
    public List<Pass> passes(int stage, int stages, int microBatches) {
        List<Pass> passes = new ArrayList<>();
        int warm = held(stage, stages, microBatches);
        for (int b = 0; b < warm; b++) {
            passes.add(new Pass(true, b));
        }
        for (int b = 0; b < microBatches; b++) {
            passes.add(new Pass(false, b));
            if (warm + b < microBatches) {
                passes.add(new Pass(true, warm + b));
            }
        }
        return passes;
    }

    /**
     * The operators of each device in order, in a graph of micro-batches.
     *
     * @param graph the graph of one micro-batch
     * @param schedule the schedule of {@code graph}
     */
    int[][] sequences(
            OperatorGraph graph, OperatorSchedule schedule, int devices, int microBatches) {
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
            int[] forward = of(graph, single[d], PassDirection.FORWARD);
            int[] backward = of(graph, single[d], PassDirection.BACKWARD);
            List<Integer> order = new ArrayList<>();
            for (Pass pass : passes(stage, stages.size(), microBatches)) {
                add(order, pass.forward() ? forward : backward, pass.microBatch(), graph.size());
            }
            sequences[d] = order.stream().mapToInt(Integer::intValue).toArray();
        }
        return sequences;
    }

    private static int[] of(OperatorGraph graph, int[] sequence, PassDirection phase) {
        return Arrays.stream(sequence).filter(id -> graph.operator(id).phase() == phase).toArray();
    }

    private static void add(List<Integer> order, int[] pass, int microBatch, int size) {
        for (int id : pass) {
            order.add(microBatch * size + id);
        }
    }
}
