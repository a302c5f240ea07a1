package dev.levee.federated.gateway.limit;

import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Token buckets, one for each client. A bucket fills at a constant rate up to its burst. A client
 * is admitted while its bucket is not empty, and may then take more tokens than there are. It is
 * refused until the bucket has refilled. Safe for concurrent use.
 */
public final class Buckets {
    private static final double NANOS = 1e9;

    /** The level of a bucket at a time. */
    private static final class Bucket {
        private double level;
        private long at;
    }

    private final double rate;
    private final double burst;
    private final LongSupplier nanos;
    private final ConcurrentHashMap<String, Bucket> buckets = new ConcurrentHashMap<>();

    /**
     * Creates full buckets.
     *
     * @param rate tokens per second
     * @param seconds seconds in which an empty bucket fills
     * @param nanos a monotonic clock in nanoseconds
     */
    public Buckets(double rate, double seconds, LongSupplier nanos) {
        this.rate = rate;
        this.burst = rate * seconds;
        this.nanos = nanos;
    }

    /**
     * Takes tokens from a client's bucket.
     *
     * @return 0 if the client is admitted, otherwise the seconds until it will be, at least 1
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

    /** Takes tokens for something that is already under way and is not refused. */
    public void charge(String client, double tokens) {
        Bucket bucket = buckets.computeIfAbsent(client, this::full);
        synchronized (bucket) {
            fill(bucket);
            bucket.level -= tokens;
        }
    }

    /** Returns tokens that were taken for something that did not happen. */
    public void giveBack(String client, double tokens) {
        Bucket bucket = buckets.computeIfAbsent(client, this::full);
        synchronized (bucket) {
            fill(bucket);
            bucket.level = Math.min(burst, bucket.level + tokens);
        }
    }

    /** Removes full buckets, which are equal to new ones. */
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

    /** The number of buckets. */
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
