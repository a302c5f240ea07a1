package dev.levee.federated.gateway.service;

import dev.levee.federated.gateway.topic.RefusedException;

/** Hears how a request ended, once, on any thread. */
public interface Done {
    /**
     * The request has ended.
     *
     * @param refused why it was refused, null if it was not
     */
    void ended(RefusedException refused);
}
