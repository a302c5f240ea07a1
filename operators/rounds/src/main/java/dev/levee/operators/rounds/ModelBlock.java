package dev.levee.operators.rounds;

import java.util.Arrays;

/**
 * One block of one version of a server's model, and the settings of the round it opens. Inside a
 * process, the blocks of a version may be ranges of one array.
 *
 * @param array holds the values; the range is never written after construction
 * @param from where in the array the block begins
 * @param length coordinates of the block
 */
public record ModelBlock(Header header, Settings settings, float[] array, int from, int length)
        implements LoopMessage {
    /** A block with an array of its own. */
    public ModelBlock(Header header, Settings settings, float[] values) {
        this(header, settings, values, 0, values.length);
    }

    /** The block's values: the array itself, or a copy if the array holds more. */
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

    /** True if participants pull this version, so shards offer it even after newer versions. */
    public boolean pulled() {
        return settings.pulls() != null;
    }

    @Override
    public Replaces replaces() {
        return pulled() ? Replaces.SAME_ROUND : Replaces.OLDER;
    }
}
