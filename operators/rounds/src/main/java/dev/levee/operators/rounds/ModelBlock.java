package dev.levee.operators.rounds;

/**
 * One block of one version of a server's model, and the settings of the round it opens.
 *
 * @param values never written after construction
 */
public record ModelBlock(Header header, Settings settings, float[] values) implements LoopMessage {
    @Override
    public long round() {
        return header.round();
    }

    @Override
    public ShardId shard() {
        return new ShardId(header.sender(), header.block());
    }
}
