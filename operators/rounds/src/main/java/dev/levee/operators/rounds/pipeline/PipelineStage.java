package dev.levee.operators.rounds.pipeline;

import dev.levee.operators.placement.PipelineOrder;
import dev.levee.operators.placement.PipelineOrder.Pass;
import dev.levee.operators.rounds.StageMessage;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides which pass a stage runs next in one step of one worker. The order of passes is fixed and
 * early messages wait, so neither memory nor sums depend on the network. Single-threaded; computes
 * nothing.
 */
final class PipelineStage {
    /**
     * A pass that can run.
     *
     * @param values the pass's inputs, or the gradient by its outputs
     */
    record Ready(Pass pass, float[] values) {}

    private final int stage;
    private final int stages;
    private final PipelineOrder order;
    private final FloatParts parts = new FloatParts();
    private final Map<Pass, float[]> waiting = new HashMap<>();
    private StageMessage.Begin begin;
    private float[] parameters;
    private List<Pass> passes;
    private int next;
    private boolean busy;

    /**
     * Creates a stage before its first message.
     *
     * @param hasParameters true if the stage receives parameters
     */
    PipelineStage(int stage, int stages, PipelineOrder order, boolean hasParameters) {
        this.stage = stage;
        this.stages = stages;
        this.order = order;
        parameters = hasParameters ? null : new float[0];
    }

    /** Handles a message; messages may arrive in any order. */
    void receive(StageMessage message) {
        if (message instanceof StageMessage.Begin begun) {
            begin = begun;
            passes = order.passes(stage, stages, begun.ends().length);
        } else if (message instanceof StageMessage.Floats floats) {
            float[] values = parts.add(floats);
            if (values != null) {
                take(floats, values);
            }
        } else {
            throw new IllegalArgumentException("no message to a stage: " + message);
        }
    }

    private void take(StageMessage.Floats floats, float[] values) {
        switch (floats.content()) {
            case PARAMETERS -> parameters = values;
            case INPUTS -> waiting.put(new Pass(true, floats.part()), values);
            case SLOPES -> backward(floats.part(), values);
            case GRADIENT -> throw new IllegalArgumentException("no message to a stage: " + floats);
        }
    }

    /** The version whose parameters it needs from the servers; −1 if it needs none from there. */
    long awaits() {
        return begin == null || parameters != null ? -1 : begin.version();
    }

    /** Sets the parameters of that version. */
    void parameters(float[] values) {
        parameters = values;
    }

    /** Sets the gradient by a micro-batch's outputs. */
    void backward(int microBatch, float[] slope) {
        waiting.put(new Pass(false, microBatch), slope);
    }

    /**
     * Takes the pass to run now, until {@link #done}; null if one is running or its input is
     * missing.
     */
    Ready take() {
        if (busy || begin == null || parameters == null || finished()) {
            return null;
        }
        Pass pass = passes.get(next);
        float[] values = waiting.remove(pass);
        if (values == null) {
            return null;
        }
        busy = true;
        return new Ready(pass, values);
    }

    /** Marks the taken pass as completed. */
    void done() {
        busy = false;
        next++;
    }

    /** True if all passes have run. */
    boolean finished() {
        return passes != null && next == passes.size();
    }

    StageMessage.Begin begin() {
        return begin;
    }

    float[] parameters() {
        return parameters;
    }
}
