package dev.levee.federated.gateway.metrics;

/** Why a gateway has refused a client, and with which HTTP status; 0 closes the connection. */
public enum Refusal {
    /** There are as many connections as there may be. */
    TOO_MANY_CONNECTIONS(0),
    /** The address has as many connections as it may have. */
    TOO_MANY_OF_ADDRESS(0),
    /** No TLS, another version of it than 1.3, or a certificate that no authority has signed. */
    HANDSHAKE(0),
    /** Handshake or header took too long: a silent or slow client. */
    SLOW_HEADER(0),
    /** The body of a request came too slowly. */
    SLOW_BODY(0),
    /** The client took a response too slowly. */
    SLOW_READER(0),
    /** The client left in the middle of a body. */
    TRUNCATED(0),
    /** A second request before the first was answered. */
    PIPELINED(0),
    /** Not HTTP. */
    NOT_HTTP(400),
    /** Longer than a header may be. */
    LONG_HEADER(431),
    /** No such path. */
    UNKNOWN_PATH(404),
    /** Another run than this gateway's. */
    OTHER_RUN(404),
    /** The path has no such method. */
    WRONG_METHOD(405),
    /** A parameter or field of the request has no value that it may have. */
    WRONG_PARAMETER(400),
    /** Neither secret nor certificate. */
    NO_CREDENTIALS(401),
    /** No such account, or another secret; or the certificate of another device. */
    WRONG_CREDENTIALS(401),
    /** The account has been revoked. */
    REVOKED(403),
    /** No such enrollment token for this device. */
    UNKNOWN_TOKEN(401),
    /** The token was used with another secret. */
    USED_TOKEN(409),
    /** The token has expired. */
    EXPIRED_TOKEN(401),
    /** A body without a length. */
    NO_LENGTH(411),
    /** A body that is longer than what the path takes. */
    TOO_LARGE(413),
    /** A range that the model does not have. */
    WRONG_RANGE(416),
    /** A version that this gateway does not have, or no longer. */
    UNKNOWN_VERSION(404),
    /** A contribution to a version that is over or has not begun. */
    STALE(409),
    /** The device is not asked in this round. */
    NOT_ASKED(403),
    /** Not a frame. */
    MALFORMED(400),
    /** A frame of another kind, run, version or block than the path says. */
    WRONG_PLACE(400),
    /** A frame in the name of another device. */
    OTHER_SENDER(403),
    /** Another number of values or blocks than the model has. */
    WRONG_SIZE(400),
    /** The checksum is not that of the bytes. */
    ALTERED(400),
    /** The signature is not the device's. */
    FORGED(403),
    /** More requests than the device may make. */
    DEVICE_RATE(429),
    /** More bytes than the device may send and receive. */
    DEVICE_BYTES(429),
    /** More requests than the address may make. */
    ADDRESS_RATE(429),
    /** A version that another gateway may have read, and this one has not. */
    NOT_YET(503),
    /** No memory for another contribution now. */
    NO_MEMORY(503),
    /** No broker takes it now. */
    NO_BROKER(503);

    private final int status;

    Refusal(int status) {
        this.status = status;
    }

    /** The HTTP status, 0 if there is no answer. */
    public int status() {
        return status;
    }
}
