package dev.levee.federated.gateway.topic;

import dev.levee.connectors.kafka.versions.ModelReader;
import dev.levee.connectors.kafka.versions.NewestVersion;
import dev.levee.connectors.kafka.versions.Versions;
import dev.levee.federated.gateway.metrics.Refusal;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Holds the two newest versions of the model that {@link ModelReader} has found, and the requests
 * that wait for the next version. Safe for concurrent use.
 */
public final class Models implements ModelReader.Output {
    private static final Logger LOG = LoggerFactory.getLogger(Models.class);

    /** The requests, each with the version that its client knows. */
    private final Map<Consumer<PublishedVersion>, VersionId> waiting = new ConcurrentHashMap<>();

    private final CompletableFuture<Void> failure = new CompletableFuture<>();
    private volatile PublishedVersion newest;
    private volatile PublishedVersion previous;
    private volatile String missing = "nothing has been read yet";

    /** Takes a version, which may be the same again after an outage of the broker. */
    @Override
    public void newest(NewestVersion.Found model) {
        PublishedVersion found = PublishedVersion.of(model);
        PublishedVersion before = newest;
        if (before != null && !before.id().equals(found.id())) {
            previous = before;
        }
        newest = found;
        missing = null;
        waiting.forEach((who, after) -> answer(found, after, who));
    }

    /** Answers a request that waits, if this version is newer than the one that it knows. */
    private void answer(PublishedVersion now, VersionId after, Consumer<PublishedVersion> who) {
        if (newer(now, after) && waiting.remove(who) != null) {
            who.accept(now);
        }
    }

    private static boolean newer(PublishedVersion now, VersionId than) {
        return now != null && now.newerThan(than.run(), than.version());
    }

    /**
     * Calls {@code who} with the first version newer than {@code after}, at most once, on any
     * thread.
     *
     * @return an action that cancels the request
     */
    public Runnable tell(VersionId after, Consumer<PublishedVersion> who) {
        PublishedVersion now = newest;
        if (newer(now, after)) {
            who.accept(now);
            return () -> {};
        }
        waiting.put(who, after);
        // A version that came in the meantime may have missed the consumer.
        answer(newest, after, who);
        return () -> waiting.remove(who);
    }

    /**
     * The version with this id, if it is one of the two newest.
     *
     * @throws RefusedException if it is another version
     */
    public PublishedVersion version(String id) throws RefusedException {
        PublishedVersion now = newest;
        PublishedVersion before = previous;
        if (now != null && now.id().equals(id)) {
            return now;
        }
        if (before != null && before.id().equals(id)) {
            return before;
        }
        VersionId wanted = VersionId.of(id);
        if (!newer(now, wanted)) {
            throw new RefusedException(
                    Refusal.NOT_YET, 1, "this gateway has no version %s yet".formatted(wanted));
        }
        throw new RefusedException(Refusal.UNKNOWN_VERSION, "version %s is over".formatted(wanted));
    }

    /**
     * The version with this id, if it may still be answered: one of the two newest, or an older one
     * of the same run.
     *
     * @throws RefusedException if it may not be answered
     */
    public AnsweredVersion answered(String id) throws RefusedException {
        VersionId wanted = VersionId.of(id);
        PublishedVersion now = newest;
        boolean older = newer(now, wanted) && wanted.run() == now.run();
        PublishedVersion before = previous;
        if (older && !(before != null && before.id().equals(id))) {
            if (now.version() - wanted.version() > AnsweredVersion.MOST_BEHIND) {
                throw new RefusedException(
                        Refusal.STALE, "the round of version %s is over".formatted(wanted));
            }
            return new AnsweredVersion(wanted.run(), wanted.version(), now);
        }
        PublishedVersion known = version(id);
        return new AnsweredVersion(known.run(), known.version(), known);
    }

    /** The newest version. */
    public Optional<PublishedVersion> newest() {
        return Optional.ofNullable(newest);
    }

    /** Number of requests that wait for a version. */
    public int waiting() {
        return waiting.size();
    }

    /** The reason why there is no version yet, null if there is one. */
    public String missing() {
        return missing;
    }

    /** Fails when the topic can no longer be read; one sentence. */
    public CompletableFuture<Void> failure() {
        return failure;
    }

    @Override
    public void contradicted(Versions.Contradiction proof) {
        // Contradictions only matter in runs with several servers.
    }

    @Override
    public void waiting(String why) {
        if (newest == null) {
            missing = why;
        }
        LOG.info("{}", why);
    }

    @Override
    public void failed(RuntimeException cause) {
        failure.completeExceptionally(cause);
    }
}
