package dev.levee.operators.rounds;

import dev.levee.operators.rounds.securesum.SumMessage;

/**
 * What a server tells devices in a secure sum; they answer with {@link ShardReport.Said}.
 *
 * @param server that tells it
 * @param round whose contributions are summed
 * @param message to all devices of the round, or to one
 */
public record SumNotice(int server, long round, SumMessage message) implements LoopMessage {
    /** Of no block. */
    @Override
    public ShardId shard() {
        return new ShardId(server, -1);
    }
}
