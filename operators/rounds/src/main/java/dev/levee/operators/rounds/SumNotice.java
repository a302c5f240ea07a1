package dev.levee.operators.rounds;

import dev.levee.operators.rounds.securesum.SumMessage;

/**
 * A server's message to devices in a secure sum; they answer with {@link ShardReport.Said}.
 *
 * @param server that tells it
 * @param round the round whose contributions are summed
 * @param message to all devices of the round, or to one
 */
public record SumNotice(int server, long round, SumMessage message) implements LoopMessage {
    /** Belongs to no block. */
    @Override
    public ShardId shard() {
        return new ShardId(server, -1);
    }

    @Override
    public Replaces replaces() {
        return Replaces.NOTHING;
    }
}
