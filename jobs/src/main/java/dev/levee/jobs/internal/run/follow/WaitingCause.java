package dev.levee.jobs.internal.run.follow;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Finds out why rounds wait, in the background, and returns each new reason once. */
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
     * Called again and again.
     *
     * @param waiting true if a round waits now
     * @return the new findings, if there are any
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
