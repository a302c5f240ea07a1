package dev.levee.featureextraction.link;

/**
 * The rate at which bytes came while their reader waited for them.
 *
 * @param bytes that were waited for
 * @param nanos nanoseconds of waiting
 */
public record LinkRate(long bytes, long nanos) {
    /** The rate of a link over which nothing has come yet. */
    public static final LinkRate UNKNOWN = new LinkRate(0, 0);

    /** Less than this says more of a burst than of a link. */
    private static final long LEAST_BYTES = 1 << 16;

    private static final long ENOUGH_BYTES = 1 << 20;
    private static final long ENOUGH_NANOS = 1_000_000_000;

    /** Both together. */
    public LinkRate plus(LinkRate more) {
        return plus(more.bytes, more.nanos);
    }

    LinkRate plus(long moreBytes, long moreNanos) {
        return new LinkRate(bytes + moreBytes, nanos + moreNanos);
    }

    /** The rate of the bytes that came since an earlier state of the same link. */
    public LinkRate since(LinkRate earlier) {
        return new LinkRate(bytes - earlier.bytes, nanos - earlier.nanos);
    }

    /** True if enough has come to tell how much the link carries. */
    public boolean known() {
        return nanos > 0
                && bytes >= LEAST_BYTES
                && (bytes >= ENOUGH_BYTES || nanos >= ENOUGH_NANOS);
    }

    /** Bits per second; only where it is {@link #known}. */
    public double bitsPerSecond() {
        return bytes * (double) Byte.SIZE / nanos * 1e9;
    }
}
