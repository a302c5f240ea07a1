package dev.levee.operators.rounds;

import java.io.Serializable;

/**
 * Identifies one block of one server's model.
 *
 * @param server parameter server, from 0
 * @param block block of the flat vector, from 0
 */
public record ShardId(int server, int block) implements Serializable {
    /** Index of this shard among all shards, ordered by server and then by block. */
    public int index(int blocks) {
        return server * blocks + block;
    }

    /** The shard of an {@link #index}. */
    public static ShardId of(int index, int blocks) {
        return new ShardId(index / blocks, index % blocks);
    }

    @Override
    public String toString() {
        return server + "/" + block;
    }
}
