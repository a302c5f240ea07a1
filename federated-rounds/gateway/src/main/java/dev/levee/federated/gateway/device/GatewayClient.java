package dev.levee.federated.gateway.device;

import dev.levee.connectors.kafka.wire.Frame;

import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import javax.net.ssl.SSLException;

/**
 * A device's requests to a gateway. Calls block; a failure that may pass is a Kafka {@code
 * RetriableException}, any other has a sentence. Safe for concurrent use, except for contributions,
 * which come one after the other.
 */
interface GatewayClient {
    /** The gateway's bytes of a version: some of them, from an offset on. */
    interface Output {
        void write(byte[] bytes, int length);
    }

    /** The gateway's answer about a version. */
    record News(long run, long version, String id, long bytes, String etag, boolean concerns) {}

    /** The first version after another that there is within a time. */
    Optional<News> newest(String after, Duration wait) throws InterruptedException;

    /**
     * Downloads a version from an offset on, as far as the connection lasts.
     *
     * @return false if the gateway no longer has these bytes
     */
    boolean download(News version, long from, Output output) throws InterruptedException;

    /** Sends a block of a contribution, and returns when Kafka has it. */
    void contribute(Frame frame, byte[] bytes) throws InterruptedException;

    /** Sends scores, and returns when Kafka has them. */
    void score(Frame frame, byte[] bytes) throws InterruptedException;

    /** Says something in a secure sum, and returns when Kafka has it. */
    void say(Frame frame, byte[] bytes) throws InterruptedException;

    /**
     * The job's messages to the device in the secure sum of a version's round.
     *
     * @param from how many records of it are known
     * @param wait how long to wait for more
     * @return records, perhaps none
     */
    List<byte[]> told(String id, int from, Duration wait) throws InterruptedException;

    /** One more has it. */
    void opened();

    /** One less has it; the last closes its connections. */
    void closed();

    /** The version that a frame answers. */
    static String id(Frame frame) {
        return frame.run() + "-" + frame.round();
    }

    /** True if one of the two does not accept the other's certificate: trying again is no use. */
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
