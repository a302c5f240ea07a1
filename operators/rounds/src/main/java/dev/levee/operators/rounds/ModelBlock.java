package dev.levee.operators.rounds;

import java.util.Arrays;

/**
 * One block of one version of a server's model, and the settings of the round it opens. Inside a
 * process the blocks of a version may share one array, of which each is a range.
 *
 * @param array holds the values; the range is never written after construction
 * @param from where in the array the block begins
 * @param length coordinates of the block
 */
public record ModelBlock(Header header, Settings settings, float[] array, int from, int length)
        implements LoopMessage {
    /** A block that is an array of its own. */
    public ModelBlock(Header header, Settings settings, float[] values) {
        this(header, settings, values, 0, values.length);
    }

    /** The block's values: its array, or a copy where that holds more. */
    public float[] values() {
        return length == array.length ? array : Arrays.copyOfRange(array, from, from + length);
    }

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
