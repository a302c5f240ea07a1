package dev.levee.federated.gateway.account;

import java.util.concurrent.CompletableFuture;

/** Stores accounts as a log of events that all gateways of a run share. */
public interface AccountStore {
    /** The accounts, as far as the log has been read. */
    Accounts accounts();

    /**
     * Appends an event. May block for some seconds if the log cannot be reached.
     *
     * @return the outcome of the event, after it was stored and read back; fails if it could not be
     *     stored
     */
    CompletableFuture<Accounts.Outcome> append(AccountEvent event);
}
