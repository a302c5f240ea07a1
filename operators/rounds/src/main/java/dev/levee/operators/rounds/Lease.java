package dev.levee.operators.rounds;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the readers of a contribution's array, so that its learner can use it again after the last
 * one. The readers are the shards of this process, each until it has closed the round. A reader
 * that never returns its lease only costs an array, which the garbage collector takes.
 */
public final class Lease {
    private final Runnable unread;

    /** Readers, and one while blocks are still being sent. */
    private final AtomicInteger readers = new AtomicInteger(1);

    private volatile boolean kept;

    /** A lease without readers. */
    public Lease(Runnable unread) {
        this.unread = unread;
    }

    /** Adds a reader. */
    public Lease toReader() {
        readers.incrementAndGet();
        return this;
    }

    /** Keeps the array from being used again: a checkpoint may be written after the round. */
    public void keep() {
        kept = true;
    }

    /** A reader, or the sender, is done; called once by each. */
    public void done() {
        if (readers.decrementAndGet() == 0 && !kept) {
            unread.run();
        }
    }
}
