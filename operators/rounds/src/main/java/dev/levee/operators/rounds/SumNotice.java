package dev.levee.operators.rounds;

import dev.levee.operators.rounds.securesum.SumMessage;

/**
 * A server's message to devices in a secure sum; they answer with {@link ShardReport.Said}.
 *
 * @param server the server that sends it
 * @param round the round whose contributions are summed
 * @param message the message, to one device or to all devices of the round
 */
public record SumNotice(int server, long round, SumMessage message) implements LoopMessage {
    /** Notices have no block. */
    @Override
    public ShardId shard() {
        return new ShardId(server, -1);
    }

    @Override
    public Replaces replaces() {
        return Replaces.NOTHING;
    }
}
