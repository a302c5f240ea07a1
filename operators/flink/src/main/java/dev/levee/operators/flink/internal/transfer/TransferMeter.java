package dev.levee.operators.flink.internal.transfer;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the subtasks of a {@link TransferJob} and its user tell one another, within one process: the
 * length of the vectors to send, and how many have arrived.
 */
final class TransferMeter implements AutoCloseable {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final Map<String, TransferMeter> OPEN = new ConcurrentHashMap<>();

    /** Part of the names of operators, of their tasks' threads, and of those that compute. */
    static final String NAME = "measured transfer";

    private static final String NETWORK = "Flink Netty";

    private final String id = UUID.randomUUID().toString();
    private final AtomicLong vectors = new AtomicLong();
    private volatile int length;

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

    /** Numbers of a vector that is sent now. */
    int length() {
        return length;
    }

    /** Changes the length of vectors. */
    void send(int numbers) {
        length = numbers;
    }

    /** A vector of that length has arrived; vectors of other lengths do not count. */
    void received(int numbers) {
        if (numbers == length) {
            vectors.incrementAndGet();
        }
    }

    /** Vectors that have arrived. */
    long vectors() {
        return vectors.get();
    }

    /**
     * Processor seconds of all threads of Java that have a part in a transfer, so far. What the
     * compiler and the garbage collector take is not known to Java.
     */
    static double processorSeconds() {
        long[] ids = THREADS.getAllThreadIds();
        ThreadInfo[] threads = THREADS.getThreadInfo(ids);
        long nanos = 0;
        for (ThreadInfo each : threads) {
            if (each != null && takesPart(each.getThreadName())) {
                nanos += Math.max(0, THREADS.getThreadCpuTime(each.getThreadId()));
            }
        }
        return nanos / 1e9;
    }

    private static boolean takesPart(String thread) {
        return thread.contains(NAME) || thread.startsWith(NETWORK);
    }

    @Override
    public void close() {
        OPEN.remove(id);
    }
}
