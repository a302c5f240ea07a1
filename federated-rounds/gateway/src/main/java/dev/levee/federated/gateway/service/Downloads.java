package dev.levee.federated.gateway.service;

import dev.levee.federated.gateway.topic.Models;
import dev.levee.federated.gateway.topic.PublishedVersion;
import dev.levee.federated.gateway.topic.RefusedException;
import dev.levee.federated.gateway.topic.VersionId;

import java.time.Duration;
import java.util.function.Consumer;

/** Which version is the newest, and its bytes. */
public final class Downloads {
    private final Models models;
    private final Duration longestWait;

    Downloads(Models models, Duration longestWait) {
        this.models = models;
        this.longestWait = longestWait;
    }

    /**
     * Tells somebody of the first version that is newer than another, on any thread, at most once.
     *
     * @return what to do to be told no more
     */
    public Runnable tell(VersionId after, Consumer<PublishedVersion> who) {
        return models.tell(after, who);
    }

    /** How long a request that wants to wait does. */
    public Duration granted(Duration wanted) {
        return wanted.compareTo(longestWait) < 0 ? wanted : longestWait;
    }

    /**
     * The version with this id.
     *
     * @throws RefusedException if this gateway does not have it
     */
    public PublishedVersion version(String id) throws RefusedException {
        return models.version(id);
    }

    /** Why there is no version at all, null if there is one. */
    public String missing() {
        return models.missing();
    }
}
