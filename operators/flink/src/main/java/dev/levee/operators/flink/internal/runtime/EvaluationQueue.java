package dev.levee.operators.flink.internal.runtime;

import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Slices;
import dev.levee.operators.rounds.participant.ModelAssembler;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** The models of one parameter server that are to be evaluated, of which only the newest waits. */
final class EvaluationQueue {
    private final ModelAssembler assembler;
    private final TreeMap<Long, List<ModelBlock>> blocks = new TreeMap<>();
    private ModelAssembler.Assembled waiting;
    private long evaluated = -1;

    /** An empty queue. */
    EvaluationQueue(Slices slices) {
        assembler = new ModelAssembler(slices);
    }

    /** Takes a block; returns true if its model overtook one that waited. */
    boolean add(ModelBlock block) {
        if (block.round() <= evaluated) {
            return false;
        }
        blocks.computeIfAbsent(block.round(), r -> new ArrayList<>()).add(block);
        ModelAssembler.Assembled model = assembler.add(block);
        if (model == null) {
            return false;
        }
        boolean overtakes = waiting != null;
        if (overtakes) {
            forget(waiting.version());
        }
        waiting = model;
        return overtakes;
    }

    /** True if a model waits. */
    boolean waits() {
        return waiting != null;
    }

    /** The model that waits; its blocks are kept until it is {@link #evaluated}. */
    ModelAssembler.Assembled take() {
        ModelAssembler.Assembled taken = waiting;
        waiting = null;
        return taken;
    }

    /** Forgets a version that was taken, and all before. */
    void evaluated(long version) {
        evaluated = version;
        forget(version);
    }

    private void forget(long version) {
        blocks.headMap(version, true).clear();
    }

    /** The blocks of all models that are not evaluated yet, for a checkpoint. */
    List<LoopMessage> blocks() {
        List<LoopMessage> all = new ArrayList<>();
        blocks.values().forEach(all::addAll);
        return all;
    }
}
