package dev.levee.federated.gateway.device;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The body of a response, which fails if no byte comes for some time. The JDK's client limits only
 * the time until the header, so a link that dies silently would block a reader forever.
 */
final class TimedStream extends FilterInputStream {
    private final Duration longest;

    /**
     * Wraps a stream that another thread can close while it is read.
     *
     * @param longest longest time without a byte
     */
    TimedStream(InputStream in, Duration longest) {
        super(in);
        this.longest = longest;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    /**
     * {@inheritDoc}
     *
     * @throws SocketTimeoutException if no byte comes in time; the stream is then closed
     */
    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        CompletableFuture<Integer> reading = new CompletableFuture<>();
        reading.orTimeout(longest.toNanos(), TimeUnit.NANOSECONDS)
                .whenComplete((count, late) -> closeIf(late != null));
        try {
            return super.read(bytes, from, length);
        } catch (IOException e) {
            if (reading.isCompletedExceptionally()) {
                throw new SocketTimeoutException(
                        "no byte has come for %d ms".formatted(longest.toMillis()));
            }
            throw e;
        } finally {
            reading.complete(0);
        }
    }

    private void closeIf(boolean late) {
        if (late) {
            try {
                in.close();
            } catch (IOException e) {
                return; // the reader fails all the same
            }
        }
    }
}
