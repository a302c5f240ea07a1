package dev.levee.operators.testing;

import dev.levee.operators.rounds.LoopMessage;

/**
 * The loop edge: one conflating place per kind of message and block. A message replaces one that
 * has not been taken, and nothing survives a crash.
 */
final class Lanes {
    private final LoopMessage[] models;
    private final LoopMessage[] instructions;

    Lanes(int blocks) {
        models = new LoopMessage[blocks];
        instructions = new LoopMessage[blocks];
    }

    /** Puts a message into its lane; true if the lane was empty. */
    boolean offer(boolean model, LoopMessage message) {
        LoopMessage[] lanes = lanes(model);
        LoopMessage old = lanes[message.block()];
        lanes[message.block()] = message;
        return old == null;
    }

    /** Takes what is in a lane. */
    LoopMessage take(boolean model, int block) {
        LoopMessage message = lanes(model)[block];
        lanes(model)[block] = null;
        return message;
    }

    private LoopMessage[] lanes(boolean model) {
        return model ? models : instructions;
    }
}
