package dev.levee.jobs.internal.run.follow;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Finds out in the background why rounds wait, and returns each new reason once. */
public final class WaitingCause {
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Supplier<Optional<String>> ask;
    private CompletableFuture<Optional<String>> asked =
            CompletableFuture.completedFuture(Optional.empty());
    private long askedAt = System.nanoTime() - PAUSE_NANOS;
    private String said = "";

    public WaitingCause(Supplier<Optional<String>> ask) {
        this.ask = ask;
    }

    /**
     * Returns a new reason, if there is one. Called repeatedly.
     *
     * @param waiting true if a round is waiting now
     * @return a reason that was not returned before
     */
    Optional<String> look(boolean waiting) {
        if (!waiting) {
            said = "";
            return Optional.empty();
        }
        if (!asked.isDone()) {
            return Optional.empty();
        }
        Optional<String> found = asked.join().filter(sentence -> !sentence.equals(said));
        found.ifPresent(sentence -> said = sentence);
        asked = CompletableFuture.completedFuture(Optional.empty());
        if (System.nanoTime() - askedAt >= PAUSE_NANOS) {
            askedAt = System.nanoTime();
            asked = CompletableFuture.supplyAsync(ask);
        }
        return found;
    }
}
