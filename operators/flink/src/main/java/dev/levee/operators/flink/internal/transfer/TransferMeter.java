package dev.levee.operators.flink.internal.transfer;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the subtasks of a {@link TransferJob} and its user tell one another, within one process: the
 * length of the vectors to send, and how many have arrived. One vector is on its way in each
 * direction at a time, as between stages, which compute before they send again: an end that waits
 * is woken for a few buffers, and that takes more processor time than a stream does.
 */
final class TransferMeter implements AutoCloseable {
    private static final Map<String, TransferMeter> OPEN = new ConcurrentHashMap<>();

    /** Part of the names of operators, of their tasks' threads, and of those that compute. */
    static final String NAME = "measured transfer";

    private final String id = UUID.randomUUID().toString();
    private final AtomicLong vectors = new AtomicLong();
    private final Semaphore[] free = {new Semaphore(1), new Semaphore(1)};
    private int length;

    TransferMeter(int length) {
        this.length = length;
        OPEN.put(id, this);
    }

    /** The meter of that id in this process. */
    static TransferMeter of(String id) {
        return OPEN.get(id);
    }

    String id() {
        return id;
    }

    /** Numbers of a vector that is sent now; waits while there is nothing to send. */
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

    /** A vector of that length has arrived at a subtask; vectors of other lengths do not count. */
    void received(int at, int numbers) {
        synchronized (this) {
            if (numbers == length) {
                vectors.incrementAndGet();
            }
        }
        free[at].release();
    }

    /** Vectors that have arrived. */
    long vectors() {
        return vectors.get();
    }

    @Override
    public void close() {
        OPEN.remove(id);
    }
}
