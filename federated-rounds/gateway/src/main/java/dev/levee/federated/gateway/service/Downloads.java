package dev.levee.federated.gateway.service;

import dev.levee.federated.gateway.metrics.Refusal;
import dev.levee.federated.gateway.topic.AnsweredVersion;
import dev.levee.federated.gateway.topic.Models;
import dev.levee.federated.gateway.topic.PublishedVersion;
import dev.levee.federated.gateway.topic.RefusedException;
import dev.levee.federated.gateway.topic.Sums;
import dev.levee.federated.gateway.topic.VersionId;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Serves versions of the model, and the job's messages in secure sums. */
public final class Downloads {
    private final Models models;
    private final Sums sums;
    private final Credentials credentials;
    private final Duration longestWait;

    Downloads(Models models, Sums sums, Credentials credentials, Duration longestWait) {
        this.models = models;
        this.sums = sums;
        this.credentials = credentials;
        this.longestWait = longestWait;
    }

    /**
     * Calls {@code who} with the job's messages to a device as soon as there are any. The messages
     * belong to the secure sum of a version's round. Calls it without messages when the next
     * version appears. It is called at most once, on any thread.
     *
     * @param from number of these messages that the device already has
     * @return an action that cancels the request
     * @throws RefusedException if the round is over, or does not ask the device
     */
    public Runnable told(String id, int device, int from, Consumer<List<byte[]>> who)
            throws RefusedException {
        AnsweredVersion version = models.answered(id);
        if (models.newest().map(newest -> newest.version() > version.version()).orElse(true)) {
            throw new RefusedException(
                    Refusal.UNKNOWN_VERSION, "the round of version %s is over".formatted(id));
        }
        if (!version.asks(device)) {
            throw new RefusedException(Refusal.NOT_ASKED, "this round does not ask this device");
        }
        AtomicBoolean told = new AtomicBoolean();
        AtomicReference<Runnable> stop = new AtomicReference<>(() -> {});
        Consumer<List<byte[]>> once =
                records -> {
                    if (told.compareAndSet(false, true)) {
                        stop.get().run();
                        credentials.spend(
                                device, records.stream().mapToLong(each -> each.length).sum());
                        who.accept(records);
                    }
                };
        VersionId round = VersionId.of(id);
        Runnable noMore = sums.tell(round, device, from, once);
        Runnable noNext = models.tell(round, next -> once.accept(List.of()));
        stop.set(
                () -> {
                    noMore.run();
                    noNext.run();
                });
        if (told.get()) {
            stop.get().run();
        }
        return stop.get();
    }

    /**
     * Calls {@code who} with the first version newer than {@code after}, at most once, on any
     * thread.
     *
     * @return an action that cancels the request
     */
    public Runnable tell(VersionId after, Consumer<PublishedVersion> who) {
        return models.tell(after, who);
    }

    /** How long a request may wait that asks to wait this long. */
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

    /** The reason why there is no version yet, null if there is one. */
    public String missing() {
        return models.missing();
    }
}
