package dev.levee.federated.gateway.limit;

import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * A token bucket for each client of a kind. A bucket fills at a constant rate up to its burst. A
 * client is admitted while its bucket has something in it, and may then take more than there is: it
 * waits until the rest has been filled up. Safe for concurrent use.
 */
public final class Buckets {
    private static final double NANOS = 1e9;

    /** A level, and when it was that. */
    private static final class Bucket {
        private double level;
        private long at;
    }

    private final double rate;
    private final double burst;
    private final LongSupplier nanos;
    private final ConcurrentHashMap<String, Bucket> buckets = new ConcurrentHashMap<>();

    /**
     * Buckets that are full.
     *
     * @param rate tokens a second
     * @param seconds how long an empty bucket takes to be full
     * @param nanos the clock, monotonic
     */
    public Buckets(double rate, double seconds, LongSupplier nanos) {
        this.rate = rate;
        this.burst = rate * seconds;
        this.nanos = nanos;
    }

    /**
     * Takes tokens of a client.
     *
     * @return 0 if it is admitted, else in how many seconds it will be, at least 1
     */
    public int take(String client, double tokens) {
        Bucket bucket = buckets.computeIfAbsent(client, this::full);
        synchronized (bucket) {
            fill(bucket);
            if (bucket.level > 0) {
                bucket.level -= tokens;
                return 0;
            }
            return (int) Math.max(1, Math.min(Integer.MAX_VALUE, Math.ceil(-bucket.level / rate)));
        }
    }

    /** Takes tokens of a client that cannot be refused any more. */
    public void charge(String client, double tokens) {
        Bucket bucket = buckets.computeIfAbsent(client, this::full);
        synchronized (bucket) {
            fill(bucket);
            bucket.level -= tokens;
        }
    }

    /** Forgets clients whose buckets are full again. */
    public void prune() {
        Iterator<Bucket> each = buckets.values().iterator();
        while (each.hasNext()) {
            Bucket bucket = each.next();
            synchronized (bucket) {
                fill(bucket);
                if (bucket.level >= burst) {
                    each.remove();
                }
            }
        }
    }

    /** Number of clients that are remembered. */
    int size() {
        return buckets.size();
    }

    private Bucket full(String client) {
        Bucket bucket = new Bucket();
        bucket.level = burst;
        bucket.at = nanos.getAsLong();
        return bucket;
    }

    private void fill(Bucket bucket) {
        long now = nanos.getAsLong();
        bucket.level = Math.min(burst, bucket.level + rate * (now - bucket.at) / NANOS);
        bucket.at = now;
    }
}
