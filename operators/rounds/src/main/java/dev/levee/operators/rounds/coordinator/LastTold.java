package dev.levee.operators.rounds.coordinator;

import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.Training;

import java.util.Arrays;

/**
 * The last exchange that each block of each server has told another server. A server that closes
 * exchanges without waiting for all still waits until all have told it the exchange before. So no
 * server is more than two exchanges ahead of another, and the rows to keep are bounded.
 * Single-threaded.
 */
final class LastTold {
    private static final long[] NOBODY_ASKS = {};

    private final Training training;
    private final int blocks;

    /** Versions by server and block, −1 before the first; empty where a server waits for all. */
    private final long[] versions;

    /** Goes on from what was remembered. */
    LastTold(Training training, int blocks, long[] versions) {
        this.training = training;
        this.blocks = blocks;
        this.versions = versions.clone();
    }

    /** The state before any server has told anything. */
    static long[] initial(Training training, int blocks) {
        Topology topology = training.topology();
        if (!topology.remembersTold()) {
            return NOBODY_ASKS;
        }
        long[] versions = new long[topology.servers() * blocks];
        Arrays.fill(versions, -1);
        return versions;
    }

    /** The state to checkpoint; a copy. */
    long[] snapshot() {
        return versions.clone();
    }

    /**
     * A server has told a block of an exchange, whatever became of it.
     *
     * @param sender the sender, by its id in rounds of servers
     * @return true if that is news
     */
    boolean told(int sender, int block, long version) {
        int server = sender - training.serverId(0);
        int at = server * blocks + block;
        if (server < 0 || at >= versions.length || versions[at] >= version) {
            return false;
        }
        versions[at] = version;
        return true;
    }

    /** True if all servers have told the exchange before a round, if that is one. */
    boolean allBefore(long round) {
        if (versions.length == 0 || training.moment(round).ofWorkers()) {
            return true;
        }
        long before = round - 1;
        while (before >= 0 && training.moment(before).ofWorkers()) {
            before--;
        }
        for (long each : versions) {
            if (each < before) {
                return false;
            }
        }
        return true;
    }
}
