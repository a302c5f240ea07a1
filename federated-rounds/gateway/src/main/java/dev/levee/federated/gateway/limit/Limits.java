package dev.levee.federated.gateway.limit;

import java.time.Duration;

/**
 * Limits of a gateway's clients.
 *
 * @param connections all together
 * @param connectionsPerAddress from one address
 * @param requestsPerSecond of one device, in the long run
 * @param addressRequestsPerSecond from one address, in the long run; a request with wrong
 *     credentials counts {@link #WRONG_COSTS} times
 * @param bytesPerSecond that one device sends and receives, in the long run
 * @param uploadBytes in memory for contributions on their way to Kafka, all together
 * @param slowest bytes per second that a client must send or receive
 * @param patience how long a handshake, or the header of a request, may take; bodies have as long,
 *     and the time that {@code slowest} gives them
 * @param idle how long a connection may say nothing between two requests
 * @param longestWait how long a request for the newest model waits at most
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

    /** Seconds of requests, and of bytes, that a client may use at once. */
    public static final double BURST_SECONDS = 10;

    /** Time allowed for a body of so many bytes. */
    public Duration forBytes(long bytes) {
        return patience.plusMillis(bytes * 1000 / slowest);
    }
}
