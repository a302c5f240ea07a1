package dev.levee.operators.rounds;

/**
 * Offers a shard the replica's copy of the shard's block. The replica sends it after every start.
 *
 * @param shard the shard that the offer is for
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
