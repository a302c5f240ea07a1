package dev.levee.federated.gateway.http;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.federated.gateway.topic.PublishedVersion;
import dev.levee.federated.gateway.topic.RefusedException;

import java.time.Duration;
import java.util.function.LongConsumer;

/** Receives the answer to one request. Exactly one method must be called, from any thread. */
interface Reply {
    /** Answers with a JSON object. */
    void json(int status, JsonNode body);

    /** Answers without a body. */
    void empty(int status);

    /** Answers with a refusal as JSON, which contains its reason. */
    void refuse(RefusedException why);

    /**
     * Answers with a version, or a range of its bytes.
     *
     * @param head true to send the header only
     * @param unsent receives the number of bytes that were not sent because the client has left
     */
    void model(PublishedVersion version, ByteRange range, boolean head, LongConsumer unsent);

    /** Answers that the client already has the version. */
    void notModified(PublishedVersion version);

    /**
     * Waits for an answer from elsewhere, and answers itself after a time.
     *
     * @param late sends that answer
     * @param cancel called if the client leaves or the time is over
     */
    void park(Duration time, Runnable late, Runnable cancel);
}
