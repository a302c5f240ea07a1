package dev.levee.operators.rounds;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the readers of a contribution's array, so that its learner can use it again after the last
 * one. The readers are the shards of this process, each of which returns its lease when it has
 * closed the round, and a participant that keeps the array until its next contribution. If a reader
 * never does, the array is not used again and is garbage-collected.
 */
public final class Lease {
    private final Runnable unread;

    /** Number of readers, plus one while blocks are still being sent. */
    private final AtomicInteger readers = new AtomicInteger(1);

    private volatile boolean kept;

    /** Creates a lease without readers. */
    public Lease(Runnable unread) {
        this.unread = unread;
    }

    /** Adds a reader. */
    public Lease toReader() {
        readers.incrementAndGet();
        return this;
    }

    /**
     * Keeps the array from being used again, because a checkpoint may be written after the round.
     */
    public void keep() {
        kept = true;
    }

    /** Marks one reader, or the sender, as done; each calls it once. */
    public void done() {
        if (readers.decrementAndGet() == 0 && !kept) {
            unread.run();
        }
    }
}
