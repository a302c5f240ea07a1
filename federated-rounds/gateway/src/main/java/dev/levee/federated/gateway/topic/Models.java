package dev.levee.federated.gateway.topic;

import dev.levee.connectors.kafka.versions.ModelReader;
import dev.levee.connectors.kafka.versions.NewestVersion;
import dev.levee.connectors.kafka.versions.Versions;
import dev.levee.federated.gateway.metrics.Refusal;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Holds the two newest versions of the model that {@link ModelReader} has found, and the requests
 * that wait for the next version. Safe for concurrent use.
 */
public final class Models implements ModelReader.Output {
    private static final Logger LOG = LoggerFactory.getLogger(Models.class);

    private final Set<Consumer<PublishedVersion>> waiting = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<Void> failure = new CompletableFuture<>();
    private volatile PublishedVersion newest;
    private volatile PublishedVersion previous;
    private volatile String missing = "nothing has been read yet";

    @Override
    public void newest(NewestVersion.Found model) {
        PublishedVersion found = PublishedVersion.of(model);
        previous = newest;
        newest = found;
        missing = null;
        for (Consumer<PublishedVersion> each : waiting) {
            if (waiting.remove(each)) {
                each.accept(found);
            }
        }
    }

    /**
     * Calls {@code who} with the first version newer than {@code after}, at most once, on any
     * thread.
     *
     * @return an action that cancels the request
     */
    public Runnable tell(VersionId after, Consumer<PublishedVersion> who) {
        PublishedVersion now = newest;
        if (now != null && now.newerThan(after.run(), after.version())) {
            who.accept(now);
            return () -> {};
        }
        waiting.add(who);
        now = newest; // a version that came in the meantime may have missed the consumer
        if (now != null && now.newerThan(after.run(), after.version()) && waiting.remove(who)) {
            who.accept(now);
        }
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
        if (now == null || !now.newerThan(wanted.run(), wanted.version())) {
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
        boolean older =
                now != null
                        && wanted.run() == now.run()
                        && now.newerThan(wanted.run(), wanted.version());
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
