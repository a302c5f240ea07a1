package dev.levee.federated.gateway.limit;

import java.util.concurrent.atomic.AtomicLong;

/** A number of bytes that many may use a part of. Safe for concurrent use. */
public final class Reserve {
    private final long bytes;
    private final AtomicLong used = new AtomicLong();

    /** All bytes are free. */
    public Reserve(long bytes) {
        this.bytes = bytes;
    }

    /** Takes so many; false if there are fewer. */
    public boolean take(long wanted) {
        if (used.addAndGet(wanted) <= bytes) {
            return true;
        }
        used.addAndGet(-wanted);
        return false;
    }

    /** Gives back the reserved memory. */
    public void give(long back) {
        used.addAndGet(-back);
    }

    /** Bytes in use. */
    public long used() {
        return used.get();
    }
}
