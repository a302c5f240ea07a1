package dev.levee.operators.flink.internal.loop;

import org.apache.flink.api.connector.source.SourceReaderContext;

import java.util.HashMap;
import java.util.Map;

/**
 * The queues between the two ends of each subtask's loop edge. Head and tail of one index are
 * co-located, so they run in one process and under one class loader. A queue exists as long as it
 * has users. After a failure, all users close, and nothing of the failed attempt remains.
 */
public final class LoopQueues {
    /**
     * Identifies a queue.
     *
     * @param run the run whose loop it belongs to; a job may have several
     */
    public record Key(String job, long run, int subtask) {
        /** The key of the queue of a source's reader. */
        public static Key of(long run, SourceReaderContext context) {
            return new Key(
                    context.metricGroup().getAllVariables().get("<job_id>"),
                    run,
                    context.getIndexOfSubtask());
        }
    }

    private static final class Shared {
        private final LoopQueue queue = new LoopQueue();
        private int users;
    }

    private static final Map<Key, Shared> QUEUES = new HashMap<>();

    private LoopQueues() {}

    /** Gets the queue of a subtask; give it back with {@link #release}. */
    public static LoopQueue acquire(Key key) {
        synchronized (QUEUES) {
            Shared shared = QUEUES.computeIfAbsent(key, k -> new Shared());
            shared.users++;
            return shared.queue;
        }
    }

    /** Ends one use of a queue. */
    public static void release(Key key) {
        synchronized (QUEUES) {
            Shared shared = QUEUES.get(key);
            if (shared != null && --shared.users == 0) {
                QUEUES.remove(key);
            }
        }
    }
}
