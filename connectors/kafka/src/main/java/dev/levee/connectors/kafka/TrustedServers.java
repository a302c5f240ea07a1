package dev.levee.connectors.kafka;

import dev.levee.connectors.kafka.wire.ServerRing;
import dev.levee.connectors.kafka.wire.VerifyingKey;

import java.time.Duration;

/**
 * What who reads models knows of the servers: it must not have it from them.
 *
 * @param ring which servers there are, and their keys
 * @param byzantine how many of several may lie, f
 * @param patience how long one of several that is silent is waited for
 */
public record TrustedServers(ServerRing ring, int byzantine, Duration patience) {
    /** How long a silent server is waited for unless somebody says otherwise. */
    public static final Duration PATIENCE = Duration.ofSeconds(2);

    /**
     * One server.
     *
     * @param job the job's public key, null in a run without keys
     */
    public static TrustedServers one(VerifyingKey job) {
        return new TrustedServers(ServerRing.of(job), 0, PATIENCE);
    }

    /** How many servers there are. */
    int count() {
        return ring.count();
    }
}
