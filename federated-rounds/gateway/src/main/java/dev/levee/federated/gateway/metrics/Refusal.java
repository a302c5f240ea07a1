package dev.levee.federated.gateway.metrics;

/**
 * Why a gateway refuses a client, with the HTTP status of the answer; 0 closes the connection
 * without an answer.
 */
public enum Refusal {
    /** The gateway has its largest number of connections. */
    TOO_MANY_CONNECTIONS(0),
    /** The address has its largest number of connections. */
    TOO_MANY_OF_ADDRESS(0),
    /**
     * The handshake failed: no TLS, another version than 1.3, or a certificate that the authority
     * has not signed.
     */
    HANDSHAKE(0),
    /** The handshake or a header took too long, because the client is silent or slow. */
    SLOW_HEADER(0),
    /** The body of a request came too slowly. */
    SLOW_BODY(0),
    /** The client read a response too slowly. */
    SLOW_READER(0),
    /** The client disconnected in the middle of a body. */
    TRUNCATED(0),
    /** The client sent a second request before the first was answered. */
    PIPELINED(0),
    /** The request is no HTTP. */
    NOT_HTTP(400),
    /** The header is too long. */
    LONG_HEADER(431),
    /** There is no such path. */
    UNKNOWN_PATH(404),
    /** The request is for another run than the gateway's. */
    OTHER_RUN(404),
    /** The path does not support the method. */
    WRONG_METHOD(405),
    /** A parameter or field of the request has an invalid value. */
    WRONG_PARAMETER(400),
    /** The request has neither a secret nor a certificate. */
    NO_CREDENTIALS(401),
    /** There is no such account, its secret is another, or the certificate is another device's. */
    WRONG_CREDENTIALS(401),
    /** The account was revoked. */
    REVOKED(403),
    /** The device has no such enrollment token. */
    UNKNOWN_TOKEN(401),
    /** The token was used with another secret. */
    USED_TOKEN(409),
    /** The token has expired. */
    EXPIRED_TOKEN(401),
    /** The body has no length. */
    NO_LENGTH(411),
    /** The body is longer than the path allows. */
    TOO_LARGE(413),
    /** The model has no such range. */
    WRONG_RANGE(416),
    /** The gateway does not have this version, or no longer has it. */
    UNKNOWN_VERSION(404),
    /** The contribution answers a version whose round is over or has not begun. */
    STALE(409),
    /** The round does not ask the device. */
    NOT_ASKED(403),
    /** The body is no frame. */
    MALFORMED(400),
    /** The frame is of another kind, run, version or block than the path. */
    WRONG_PLACE(400),
    /** The frame names another device as its sender. */
    OTHER_SENDER(403),
    /** The frame has another number of values or blocks than the model. */
    WRONG_SIZE(400),
    /** The checksum does not match the bytes. */
    ALTERED(400),
    /** The signature is not that of the device. */
    FORGED(403),
    /** The device exceeds its rate of requests. */
    DEVICE_RATE(429),
    /** The device exceeds its rate of bytes. */
    DEVICE_BYTES(429),
    /** The address exceeds its rate of requests. */
    ADDRESS_RATE(429),
    /** The gateway has not read this version yet; another gateway may have. */
    NOT_YET(503),
    /** There is no memory for another contribution at the moment. */
    NO_MEMORY(503),
    /** No broker accepts the frame at the moment. */
    NO_BROKER(503);

    private final int status;

    Refusal(int status) {
        this.status = status;
    }

    /** The HTTP status, 0 if no answer is sent. */
    public int status() {
        return status;
    }
}
