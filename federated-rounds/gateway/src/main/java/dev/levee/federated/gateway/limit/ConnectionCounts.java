package dev.levee.federated.gateway.limit;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts open connections, in total and by address. Safe for concurrent use. */
public final class ConnectionCounts {
    /** Whether another connection may be opened. */
    public enum Verdict {
        COUNTED,
        TOO_MANY,
        TOO_MANY_OF_ADDRESS
    }

    private final int most;
    private final int mostOfAddress;
    private final AtomicInteger all = new AtomicInteger();
    private final ConcurrentHashMap<String, Integer> byAddress = new ConcurrentHashMap<>();

    /** Creates a count without open connections. */
    public ConnectionCounts(int most, int mostOfAddress) {
        this.most = most;
        this.mostOfAddress = mostOfAddress;
    }

    /** Counts a new connection, unless there are too many. */
    public Verdict open(String address) {
        if (all.incrementAndGet() > most) {
            all.decrementAndGet();
            return Verdict.TOO_MANY;
        }
        int[] before = new int[1];
        byAddress.compute(
                address,
                (key, count) -> {
                    before[0] = count == null ? 0 : count;
                    return before[0] < mostOfAddress ? Integer.valueOf(before[0] + 1) : count;
                });
        if (before[0] >= mostOfAddress) {
            all.decrementAndGet();
            return Verdict.TOO_MANY_OF_ADDRESS;
        }
        return Verdict.COUNTED;
    }

    /** Counts a closed connection. */
    public void close(String address) {
        all.decrementAndGet();
        byAddress.computeIfPresent(
                address, (key, count) -> count == 1 ? null : Integer.valueOf(count - 1));
    }

    /** The number of open connections. */
    public int open() {
        return all.get();
    }
}
