package dev.levee.operators.testing;

import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.ShardId;

/**
 * The loop edge: one conflating place per kind of message and shard. A message replaces one that
 * has not been taken, and nothing survives a crash.
 */
final class Lanes {
    private final int blocks;
    private final LoopMessage[] models;
    private final LoopMessage[] instructions;

    Lanes(int servers, int blocks) {
        this.blocks = blocks;
        models = new LoopMessage[servers * blocks];
        instructions = new LoopMessage[servers * blocks];
    }

    /** Puts a message into its lane; true if the lane was empty. */
    boolean offer(boolean model, LoopMessage message) {
        LoopMessage[] lanes = lanes(model);
        int lane = message.shard().index(blocks);
        LoopMessage old = lanes[lane];
        lanes[lane] = message;
        return old == null;
    }

    /** Takes what is in a lane. */
    LoopMessage take(boolean model, ShardId shard) {
        int lane = shard.index(blocks);
        LoopMessage message = lanes(model)[lane];
        lanes(model)[lane] = null;
        return message;
    }

    private LoopMessage[] lanes(boolean model) {
        return model ? models : instructions;
    }
}
