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

    /** True if shards offer it again after newer versions, to participants that pull it. */
    public boolean pulled() {
        return settings.pulls() != null;
    }

    @Override
    public Replaces replaces() {
        return pulled() ? Replaces.SAME_ROUND : Replaces.OLDER;
    }
}
