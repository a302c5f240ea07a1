package dev.levee.operators.flink.internal.transfer;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Connects the subtasks of a {@link TransferJob} and its user within one process: it has the length
 * of the vectors to send, and the number of arrived ones. Only one vector at a time is in transit
 * in each direction, as between stages, which compute before they send again. A waiting end is
 * woken for a few buffers, which takes more processor time than a continuous stream.
 */
final class TransferMeter implements AutoCloseable {
    private static final Map<String, TransferMeter> OPEN = new ConcurrentHashMap<>();

    /** Part of the names of operators, their tasks' threads, and the copying threads. */
    static final String NAME = "measured transfer";

    private final String id = UUID.randomUUID().toString();
    private final AtomicLong vectors = new AtomicLong();
    private final Semaphore[] free = {new Semaphore(1), new Semaphore(1)};
    private int length;

    TransferMeter(int length) {
        this.length = length;
        OPEN.put(id, this);
    }

    /** The meter with this id in this process. */
    static TransferMeter of(String id) {
        return OPEN.get(id);
    }

    String id() {
        return id;
    }

    /** The current length of vectors; waits while it is 0. */
    synchronized int length() throws InterruptedException {
        while (length == 0) {
            wait();
        }
        return length;
    }

    /** Changes the length of vectors; with 0, none are sent. */
    synchronized void send(int numbers) {
        length = numbers;
        notifyAll();
    }

    /** Waits until the last vector to a subtask has arrived. */
    void beforeSending(int to) throws InterruptedException {
        free[to].acquire();
    }

    /**
     * Records that a vector has arrived at a subtask; vectors of other lengths than the current one
     * do not count.
     */
    void received(int at, int numbers) {
        synchronized (this) {
            if (numbers == length) {
                vectors.incrementAndGet();
            }
        }
        free[at].release();
    }

    /** Number of vectors that have arrived. */
    long vectors() {
        return vectors.get();
    }

    @Override
    public void close() {
        OPEN.remove(id);
    }
}
