package dev.levee.federated.gateway.device;

import dev.levee.connectors.kafka.wire.Frame;

import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import javax.net.ssl.SSLException;

/**
 * Sends a device's requests to a gateway. Calls block. A failure that may be temporary is a Kafka
 * {@code RetriableException}; the message of any other failure is one sentence. Safe for concurrent
 * use, except that contributions must be sent one after another.
 */
interface GatewayClient {
    /** Receives the bytes of a version, piece by piece. */
    interface Output {
        void write(byte[] bytes, int length);
    }

    /** The gateway's description of a version. */
    record News(long run, long version, String id, long bytes, String etag, boolean concerns) {}

    /** Waits for a version newer than {@code after}; empty if none comes in time. */
    Optional<News> newest(String after, Duration wait) throws InterruptedException;

    /**
     * Downloads a version from an offset on, until its end or the end of the connection.
     *
     * @return false if the gateway no longer has these bytes
     */
    boolean download(News version, long from, Output output) throws InterruptedException;

    /** Sends a block of a contribution. Returns when Kafka has stored it. */
    void contribute(Frame frame, byte[] bytes) throws InterruptedException;

    /** Sends scores. Returns when Kafka has stored them. */
    void score(Frame frame, byte[] bytes) throws InterruptedException;

    /** Sends a message of a secure sum. Returns when Kafka has stored it. */
    void say(Frame frame, byte[] bytes) throws InterruptedException;

    /**
     * Fetches the job's messages to the device in the secure sum of a version's round.
     *
     * @param from number of these messages that the device already has
     * @param wait how long to wait for more
     * @return further messages, perhaps none
     */
    List<byte[]> told(String id, int from, Duration wait) throws InterruptedException;

    /** Registers one more user of this client. */
    void opened();

    /** Unregisters a user. The last one closes the connections. */
    void closed();

    /** The id of the version that a frame answers. */
    static String id(Frame frame) {
        return frame.run() + "-" + frame.round();
    }

    /** True if either side rejected the other's certificate, so that a retry is useless. */
    static boolean mistrust(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            boolean alert =
                    cause instanceof SSLException
                            && String.valueOf(cause.getMessage()).contains("fatal alert");
            if (alert || cause instanceof CertificateException) {
                return true;
            }
        }
        return false;
    }
}
