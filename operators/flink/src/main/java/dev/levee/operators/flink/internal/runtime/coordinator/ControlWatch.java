package dev.levee.operators.flink.internal.runtime.coordinator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.levee.operators.rounds.Control;

import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Checks every second whether the control file has changed. It uses a thread of its own, because a
 * slow file system must not delay a round. Invalid content is logged once and changes nothing.
 */
public final class ControlWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ControlWatch.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int LONGEST = 1 << 16;
    private static final long START_SECONDS = 2;

    private final Path file;
    private final Consumer<Control> found;
    private final Thread thread;
    private final CountDownLatch looked = new CountDownLatch(1);
    private byte[] last = new byte[0];
    private String complaint = "";

    /**
     * Starts the watch, and waits briefly so that existing content takes effect from the start.
     *
     * @param uri the control file
     * @param found receives each valid control, on the watching thread
     */
    public ControlWatch(String uri, Consumer<Control> found) {
        this.file = new Path(uri);
        this.found = found;
        this.thread = new Thread(this::watch, "control at " + uri);
        // File systems load classes with the thread's class loader, which must be that of the job.
        thread.setContextClassLoader(ControlWatch.class.getClassLoader());
        thread.setDaemon(true);
        thread.start();
        try {
            if (!looked.await(START_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("control at {} is slow to read; the run starts without it", file);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void watch() {
        try {
            look();
            looked.countDown();
            while (!Thread.currentThread().isInterrupted()) {
                TimeUnit.SECONDS.sleep(1);
                look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        try {
            byte[] content = read();
            if (!Arrays.equals(content, last)) {
                last = content;
                found.accept(parse(content));
                complaint = "";
            }
        } catch (FileNotFoundException e) {
            LOG.trace("no control at {} yet", file, e);
        } catch (IOException | RuntimeException e) {
            complain(String.valueOf(e.getMessage()));
        }
    }

    private byte[] read() throws IOException {
        try (FSDataInputStream in = file.getFileSystem().open(file)) {
            return in.readNBytes(LONGEST);
        }
    }

    /**
     * Reads a control.
     *
     * @throws IOException if it is not JSON
     * @throws IllegalArgumentException if a value is missing or invalid; one sentence
     */
    static Control parse(byte[] content) throws IOException {
        JsonNode json = JSON.readTree(content);
        return new Control(
                whole(json, "timestamp", JsonNode::canConvertToLong).asLong(),
                whole(json, "batchSize", JsonNode::canConvertToInt).asInt(),
                whole(json, "workers", JsonNode::canConvertToInt).asInt(),
                number(json, "learningRate").asDouble(),
                json.hasNonNull("fromRound")
                        ? whole(json, "fromRound", JsonNode::canConvertToLong).asLong()
                        : 0);
    }

    private static JsonNode whole(JsonNode json, String name, Predicate<JsonNode> fits) {
        JsonNode value = number(json, name);
        if (!value.canConvertToExactIntegral() || !fits.test(value)) {
            throw new IllegalArgumentException(
                    name + " must be a whole number that is not too large, got " + value);
        }
        return value;
    }

    private static JsonNode number(JsonNode json, String name) {
        JsonNode value = json.path(name);
        if (!value.isNumber()) {
            throw new IllegalArgumentException(name + " must be a number, got " + value);
        }
        return value;
    }

    private void complain(String why) {
        if (!why.equals(complaint)) {
            complaint = why;
            LOG.warn("control at {} is not followed: {}", file, why);
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
