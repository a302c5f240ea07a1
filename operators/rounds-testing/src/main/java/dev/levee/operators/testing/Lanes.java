package dev.levee.operators.testing;

import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.ShardId;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * The loop edge, with one conflating lane for each kind of message and shard. A message replaces a
 * waiting one, except for pulled models, which are all kept. A crash clears all lanes.
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

    /** Adds a message to its lane; returns true if it waits in addition to earlier messages. */
    public boolean offer(boolean model, LoopMessage message) {
        Deque<LoopMessage> lane = (model ? models : instructions)[message.shard().index(blocks)];
        boolean replaces = message.replaces() == LoopMessage.Replaces.OLDER && !lane.isEmpty();
        if (replaces) {
            lane.clear();
        }
        lane.add(message);
        return !replaces;
    }

    /** Takes the oldest message of a lane. */
    public LoopMessage take(boolean model, ShardId shard) {
        return (model ? models : instructions)[shard.index(blocks)].poll();
    }
}
