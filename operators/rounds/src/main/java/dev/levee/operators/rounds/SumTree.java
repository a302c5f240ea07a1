package dev.levee.operators.rounds;

import java.util.Arrays;

/**
 * Tells hosts which of them add up the contributions of others before these reach a server.
 *
 * @param server that the sums are for
 * @param from the first round that it holds for
 * @param aggregators by subtask: the subtask where what its host sends is added up, which is the
 *     first one of its own host if that sends to the server itself
 */
public record SumTree(int server, long from, int[] aggregators) implements LoopMessage {
    @Override
    public long round() {
        return from;
    }

    /** Belongs to no block. */
    @Override
    public ShardId shard() {
        return new ShardId(server, -1);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SumTree tree
                && tree.server == server
                && tree.from == from
                && Arrays.equals(tree.aggregators, aggregators);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(from) + 31 * Arrays.hashCode(aggregators);
    }

    @Override
    public String toString() {
        return "from round " + from + " on: " + Arrays.toString(aggregators);
    }
}
