package dev.levee.federated.gateway.limit;

import java.time.Duration;

/**
 * The limits of a gateway's clients.
 *
 * @param connections maximum number of connections in total
 * @param connectionsPerAddress maximum number of connections from one address
 * @param requestsPerSecond average requests per second of one device
 * @param addressRequestsPerSecond average requests per second from one address; a request with
 *     wrong credentials counts {@link #WRONG_COSTS} times
 * @param bytesPerSecond average bytes per second that one device sends and receives
 * @param uploadBytes memory for contributions that are being received or written to Kafka, in total
 * @param slowest lowest rate in bytes per second at which a client must send or receive
 * @param patience longest time for a handshake or the header of a request; bodies have this time
 *     plus the time that they take at the rate {@code slowest}
 * @param idle longest silence of a connection between two requests
 * @param longestWait longest wait of a request for the newest model
 */
public record Limits(
        int connections,
        int connectionsPerAddress,
        double requestsPerSecond,
        double addressRequestsPerSecond,
        long bytesPerSecond,
        long uploadBytes,
        long slowest,
        Duration patience,
        Duration idle,
        Duration longestWait) {
    /** Cost of a request with wrong credentials, so that a client cannot try many. */
    public static final double WRONG_COSTS = 20;

    /** A client may use this many seconds' worth of requests or bytes at once. */
    public static final double BURST_SECONDS = 10;

    /** The time allowed for a body of this many bytes. */
    public Duration forBytes(long bytes) {
        return patience.plusMillis(bytes * 1000 / slowest);
    }
}
