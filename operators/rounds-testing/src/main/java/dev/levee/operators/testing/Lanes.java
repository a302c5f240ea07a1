package dev.levee.operators.testing;

import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.ShardId;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * The loop edge: one conflating place per kind of message and shard. A message replaces one that
 * has not been taken, except for models that participants pull, which are all kept. Nothing
 * survives a crash.
 */
public final class Lanes {
    private final int blocks;
    private final Deque<LoopMessage>[] models;
    private final Deque<LoopMessage>[] instructions;

    public Lanes(int servers, int blocks) {
        this.blocks = blocks;
        models = lanes(servers * blocks);
        instructions = lanes(servers * blocks);
    }

    @SuppressWarnings("unchecked")
    private static Deque<LoopMessage>[] lanes(int count) {
        Deque<LoopMessage>[] lanes = new Deque[count];
        Arrays.setAll(lanes, i -> new ArrayDeque<>());
        return lanes;
    }

    /** Puts a message into its lane; true if it must be taken beside what was there. */
    public boolean offer(boolean model, LoopMessage message) {
        Deque<LoopMessage> lane = (model ? models : instructions)[message.shard().index(blocks)];
        boolean replaces = message.replaces() == LoopMessage.Replaces.OLDER && !lane.isEmpty();
        if (replaces) {
            lane.clear();
        }
        lane.add(message);
        return !replaces;
    }

    /** Takes the oldest of what is in a lane. */
    public LoopMessage take(boolean model, ShardId shard) {
        return (model ? models : instructions)[shard.index(blocks)].poll();
    }
}
