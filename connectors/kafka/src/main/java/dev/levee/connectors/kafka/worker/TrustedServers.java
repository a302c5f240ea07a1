package dev.levee.connectors.kafka.worker;

import dev.levee.connectors.kafka.wire.ServerRing;
import dev.levee.connectors.kafka.wire.VerifyingKey;

import java.time.Duration;

/**
 * The servers as a reader knows them from its own configuration, which servers cannot change.
 *
 * @param ring the servers and their keys
 * @param byzantine f, the maximum number of Byzantine servers
 * @param patience how long to wait for a silent server, if there are several
 * @param only the server whose model the reader uses and which alone it answers; {@link #ALL} if it
 *     combines the models of all servers
 */
public record TrustedServers(ServerRing ring, int byzantine, Duration patience, int only) {
    /** Stands for all servers. */
    public static final int ALL = -1;

    /** Default of how long to wait for a silent server. */
    public static final Duration PATIENCE = Duration.ofSeconds(2);

    /** Servers whose models are combined. */
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

    /** These servers, for a reader that uses the model of only one of them. */
    public TrustedServers only(int server) {
        return new TrustedServers(ring, byzantine, patience, server);
    }

    /** The server to which gradients are addressed: the first server, if all servers read them. */
    int answered() {
        return Math.max(0, only);
    }

    /** Number of servers. */
    int count() {
        return ring.count();
    }
}
