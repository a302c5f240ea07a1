package dev.levee.featureextraction.link;

/**
 * The rate at which bytes arrived while their reader waited for them.
 *
 * @param bytes number of bytes that the reader waited for
 * @param nanos nanoseconds of waiting
 */
public record LinkRate(long bytes, long nanos) {
    /** The rate of a link over which nothing has arrived yet. */
    public static final LinkRate UNKNOWN = new LinkRate(0, 0);

    /** Minimum number of bytes to estimate a rate. Fewer bytes may be a single burst. */
    private static final long LEAST_BYTES = 1 << 16;

    private static final long ENOUGH_BYTES = 1 << 20;
    private static final long ENOUGH_NANOS = 1_000_000_000;

    /** The rate over both periods. */
    public LinkRate plus(LinkRate more) {
        return plus(more.bytes, more.nanos);
    }

    LinkRate plus(long moreBytes, long moreNanos) {
        return new LinkRate(bytes + moreBytes, nanos + moreNanos);
    }

    /** The rate since an earlier measurement of the same link. */
    public LinkRate since(LinkRate earlier) {
        return new LinkRate(bytes - earlier.bytes, nanos - earlier.nanos);
    }

    /** True if enough bytes have arrived to estimate the bandwidth. */
    public boolean known() {
        return nanos > 0
                && bytes >= LEAST_BYTES
                && (bytes >= ENOUGH_BYTES || nanos >= ENOUGH_NANOS);
    }

    /** The rate in bits per second; only valid if {@link #known}. */
    public double bitsPerSecond() {
        return bytes * (double) Byte.SIZE / nanos * 1e9;
    }
}
