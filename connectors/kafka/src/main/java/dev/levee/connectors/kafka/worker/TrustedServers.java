package dev.levee.connectors.kafka.worker;

import dev.levee.connectors.kafka.wire.ServerRing;
import dev.levee.connectors.kafka.wire.VerifyingKey;

import java.time.Duration;

/**
 * A reader's trusted knowledge of the servers, which must not come from them.
 *
 * @param ring which servers there are, and their keys
 * @param byzantine how many of several may lie, f
 * @param patience how long one of several that is silent is waited for
 * @param only the one of several at whose own model its reader works and whom alone it answers,
 *     {@link #ALL} if it makes one model of all
 */
public record TrustedServers(ServerRing ring, int byzantine, Duration patience, int only) {
    /** Stands for all servers. */
    public static final int ALL = -1;

    /** The default of how long a silent server is waited for. */
    public static final Duration PATIENCE = Duration.ofSeconds(2);

    /** Servers of whose models one is made. */
    public TrustedServers(ServerRing ring, int byzantine, Duration patience) {
        this(ring, byzantine, patience, ALL);
    }

    /**
     * One server.
     *
     * @param job the job's public key, null in a run without keys
     */
    public static TrustedServers one(VerifyingKey job) {
        return new TrustedServers(ServerRing.of(job), 0, PATIENCE);
    }

    /** The same for a reader who works at the model of one of them. */
    public TrustedServers only(int server) {
        return new TrustedServers(ring, byzantine, patience, server);
    }

    /** The server whose gradients it sends: the first where all read them. */
    int answered() {
        return Math.max(0, only);
    }

    /** Number of servers. */
    int count() {
        return ring.count();
    }
}
