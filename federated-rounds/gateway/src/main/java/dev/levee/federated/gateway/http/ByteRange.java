package dev.levee.federated.gateway.http;

import dev.levee.federated.gateway.metrics.Refusal;
import dev.levee.federated.gateway.topic.RefusedException;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The requested bytes of a download (RFC 9110, section 14).
 *
 * @param from the first byte, counted from 0
 * @param to the last byte
 * @param part true if the client requested a range
 */
record ByteRange(long from, long to, boolean part) {
    private static final Pattern ONE = Pattern.compile("bytes=(\\d{0,18})-(\\d{0,18})");

    /**
     * Parses the range of a header. The range is the whole download if there is no header, or if it
     * names several ranges.
     *
     * @param header the header, null if there is none
     * @param bytes size of the whole download
     * @throws RefusedException if the download has no such range
     */
    static ByteRange of(String header, long bytes) throws RefusedException {
        Matcher one = header == null ? null : ONE.matcher(header.trim());
        if (one == null || !one.matches() || one.group(1).isEmpty() && one.group(2).isEmpty()) {
            return new ByteRange(0, bytes - 1, false);
        }
        boolean suffix = one.group(1).isEmpty();
        long last = one.group(2).isEmpty() ? bytes - 1 : Long.parseLong(one.group(2));
        long from = suffix ? Math.max(0, bytes - last) : Long.parseLong(one.group(1));
        long to = suffix ? bytes - 1 : Math.min(last, bytes - 1);
        if (from > to || suffix && last == 0) {
            throw new RefusedException(
                    Refusal.WRONG_RANGE, "the model has %d bytes".formatted(bytes));
        }
        return new ByteRange(from, to, true);
    }

    /** Number of bytes. */
    long length() {
        return to - from + 1;
    }
}
