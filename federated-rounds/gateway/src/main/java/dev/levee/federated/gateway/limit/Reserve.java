package dev.levee.federated.gateway.limit;

import java.util.concurrent.atomic.AtomicLong;

/** A budget of bytes from which several users reserve parts. Safe for concurrent use. */
public final class Reserve {
    private final long bytes;
    private final AtomicLong used = new AtomicLong();

    /** Creates a budget with all bytes free. */
    public Reserve(long bytes) {
        this.bytes = bytes;
    }

    /** Reserves this many bytes; false if fewer are free. */
    public boolean take(long wanted) {
        if (used.addAndGet(wanted) <= bytes) {
            return true;
        }
        used.addAndGet(-wanted);
        return false;
    }

    /** Releases reserved bytes. */
    public void give(long back) {
        used.addAndGet(-back);
    }

    /** The number of reserved bytes. */
    public long used() {
        return used.get();
    }
}
