package dev.levee.featureextraction.link;

import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Measures the rate of a link that several connections share: the bytes that arrived while at least
 * one connection waited for an answer, and that time.
 */
public final class LinkMeter {
    private final LongSupplier clock;
    private final Set<LongSupplier> waits = new HashSet<>();
    private LinkRate before = LinkRate.UNKNOWN;
    private long start;
    private long bytes;

    /** A meter that has measured nothing yet. */
    public LinkMeter() {
        this(System::nanoTime);
    }

    /** As above, with a monotonic clock in nanoseconds. */
    LinkMeter(LongSupplier clock) {
        this.clock = clock;
    }

    /**
     * Called when a connection begins to wait.
     *
     * @param arrived returns the bytes that have arrived during the wait
     */
    synchronized void begin(LongSupplier arrived) {
        if (waits.isEmpty()) {
            start = clock.getAsLong();
        }
        waits.add(arrived);
    }

    /** Called when the wait ends. */
    synchronized void end(LongSupplier arrived) {
        bytes += arrived.getAsLong();
        waits.remove(arrived);
        if (waits.isEmpty()) {
            before = rate();
            bytes = 0;
        }
    }

    /** The rate so far, including waits that have not ended. Waits without a byte do not count. */
    public synchronized LinkRate rate() {
        long all = bytes + waits.stream().mapToLong(LongSupplier::getAsLong).sum();
        return all == 0 ? before : before.plus(all, clock.getAsLong() - start);
    }
}
