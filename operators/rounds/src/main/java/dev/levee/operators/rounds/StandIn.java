package dev.levee.operators.rounds;

/**
 * A replica offers a shard its copy of the shard's block, after every start.
 *
 * @param shard that the offer is for
 * @param place where the replica is, and the version that it can continue from
 * @param values the values of the block in that version, null if it holds none
 * @param moments the optimizer's vectors, null if it holds none
 */
public record StandIn(ShardId shard, StandbyPlace place, float[] values, float[][] moments)
        implements LoopMessage {
    @Override
    public long round() {
        return place.version();
    }
}
