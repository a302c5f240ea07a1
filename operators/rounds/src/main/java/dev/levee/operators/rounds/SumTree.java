package dev.levee.operators.rounds;

import java.util.Arrays;

/**
 * Tells hosts where to send contributions: some hosts add up those of others on the way to a
 * server.
 *
 * @param server the server that the sums are for
 * @param from the first round that it applies to
 * @param aggregators by subtask: the subtask that adds up its host's contributions, which is the
 *     first one of the same host if that host sends to the server directly
 */
public record SumTree(int server, long from, int[] aggregators) implements LoopMessage {
    @Override
    public long round() {
        return from;
    }

    /** Trees have no block. */
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
