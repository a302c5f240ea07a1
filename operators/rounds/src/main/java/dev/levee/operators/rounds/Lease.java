package dev.levee.operators.rounds;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Who reads the array of a contribution, which its learner uses again when nobody does: the shards
 * of this process, each until it has closed the round. Whoever keeps a block longer says so. A
 * lease that somebody does not return costs an array, which the garbage collector takes.
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

    /** Somebody keeps the array: a checkpoint, which is written when the round may be over. */
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
