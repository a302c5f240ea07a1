package dev.levee.operators.rounds.coordinator;

import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.Training;

import java.util.Arrays;

/**
 * The last exchange for which a server has received each block of each other server. A server that
 * closes exchanges without waiting for all servers still waits for all models of the previous
 * exchange. So no server is more than two exchanges ahead of another, and the number of rows to
 * keep is bounded. Single-threaded.
 */
final class LastExchanges {
    private static final long[] NOBODY_ASKS = {};

    private final Training training;
    private final int blocks;

    /** Versions by server and block, −1 before the first; empty if the server waits for all. */
    private final long[] versions;

    /** Creates the record from a snapshot. */
    LastExchanges(Training training, int blocks, long[] versions) {
        this.training = training;
        this.blocks = blocks;
        this.versions = versions.clone();
    }

    /** The state before any model was received. */
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
     * Records that a server has sent a block of an exchange, accepted or not.
     *
     * @param sender the sender's id in rounds of servers
     * @return true if the exchange is newer than the recorded one
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

    /** True if all servers have sent the exchange before a round, or if no exchange precedes it. */
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
