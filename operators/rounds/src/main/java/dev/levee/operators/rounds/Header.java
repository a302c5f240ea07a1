package dev.levee.operators.rounds;

import dev.levee.operators.rounds.vector.FixedPoint;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * The fields that all blocks on the loop edge have.
 *
 * @param run identifies the run
 * @param round the round it belongs to; a model of version v opens round v, and a contribution
 *     waits if its round is later than the one its model opened
 * @param phase 0, or the number of the look that the record answers
 * @param sender worker or server that made it
 * @param receiver server it is meant for, {@link #EVERYONE} for models
 * @param block index of the block of the flat vector
 * @param baseVersion model version that a contribution was computed on
 * @param encoding how values are encoded: {@link #FLOAT32} or {@link #MASKED}
 */
public record Header(
        long run,
        long round,
        int phase,
        int sender,
        int receiver,
        int block,
        long baseVersion,
        int encoding)
        implements Serializable {
    /** Values are float32. */
    public static final int FLOAT32 = 0;

    /** Values are masked 32-bit integers in place of floats, as {@link FixedPoint} makes them. */
    public static final int MASKED = 2;

    /** Receiver of a model. */
    public static final int EVERYONE = -1;

    /** The id of a run in its records. */
    public static long run(String runId) {
        byte[] name = runId.getBytes(StandardCharsets.UTF_8);
        return UUID.nameUUIDFromBytes(name).getMostSignificantBits();
    }

    /** Header of a model block of the given version. */
    public static Header model(long run, long version, ShardId shard) {
        return new Header(
                run, version, 0, shard.server(), EVERYONE, shard.block(), version, FLOAT32);
    }

    /** Header of another block of the same model. */
    public Header model(ShardId shard) {
        return model(run, round, shard);
    }

    /** Header of a block that answers the model of the given version. */
    public static Header gradient(long run, long version, int worker, ShardId shard) {
        return gradient(run, version, version, worker, shard);
    }

    /**
     * Header of a block of a contribution to a round.
     *
     * @param base version of the model that it was computed on
     */
    public static Header gradient(long run, long round, long base, int worker, ShardId shard) {
        return new Header(run, round, 0, worker, shard.server(), shard.block(), base, FLOAT32);
    }

    /**
     * Header of a block of a contribution to a server, with this header's run, sender, block and
     * encoding.
     *
     * @param version that the contribution answers
     */
    public Header contribution(long version, int server) {
        return new Header(run, version, 0, sender, server, block, version, encoding);
    }

    /** The same header for another block or server. */
    public Header to(ShardId shard) {
        return new Header(
                run, round, phase, sender, shard.server(), shard.block(), baseVersion, encoding);
    }

    /** The same header with another encoding. */
    public Header encoded(int encoding) {
        return new Header(run, round, phase, sender, receiver, block, baseVersion, encoding);
    }
}
