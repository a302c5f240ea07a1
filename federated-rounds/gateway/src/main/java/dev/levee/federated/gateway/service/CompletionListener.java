package dev.levee.federated.gateway.service;

import dev.levee.federated.gateway.topic.RefusedException;

/** Called once, on any thread, when a request has ended. */
public interface CompletionListener {
    /**
     * The request has ended.
     *
     * @param refused the refusal, null if the request succeeded
     */
    void ended(RefusedException refused);
}
