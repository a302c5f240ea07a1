package dev.levee.federated.gateway.http;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.federated.gateway.topic.PublishedVersion;
import dev.levee.federated.gateway.topic.RefusedException;

import java.time.Duration;

/** Receives the answer to one request, once, from any thread. */
interface Reply {
    /** A JSON object. */
    void json(int status, JsonNode body);

    /** No body. */
    void empty(int status);

    /** A refusal, as JSON with its reason. */
    void refuse(RefusedException why);

    /**
     * A version, or some of its bytes.
     *
     * @param head whether the client wants the header alone
     */
    void model(PublishedVersion version, ByteRange range, boolean head);

    /** The client has the version already. */
    void notModified(PublishedVersion version);

    /**
     * Waits: somebody will answer, or this does after a time.
     *
     * @param late answers then
     * @param cancel called when the client has left
     */
    void park(Duration time, Runnable late, Runnable cancel);
}
