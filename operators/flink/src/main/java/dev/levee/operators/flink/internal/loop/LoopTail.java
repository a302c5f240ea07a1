package dev.levee.operators.flink.internal.loop;

import dev.levee.operators.rounds.LoopMessage;

import org.apache.flink.streaming.api.operators.StreamingRuntimeContext;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;

import java.time.Duration;

/** An operator's end of the loop edge. */
public final class LoopTail implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final LoopQueues.Key key;
    private final LoopQueue queue;

    /** The end in this subtask of a run; to be closed. */
    public LoopTail(long run, StreamingRuntimeContext context, ProcessingTimeService time) {
        this.key =
                new LoopQueues.Key(
                        context.getJobInfo().getJobId().toString(),
                        run,
                        context.getTaskInfo().getIndexOfThisSubtask());
        time.registerTimer(
                time.getCurrentProcessingTime() + PATIENCE.toMillis(), now -> checkHead());
        // Acquired last: if a later step failed before close(), the next attempt would find the
        // queue.
        this.queue = LoopQueues.acquire(key);
    }

    private void checkHead() {
        if (!queue.hasHead()) {
            throw new IllegalStateException(
                    "no head runs next to subtask "
                            + key.subtask()
                            + ": heads, parameter shards and round coordinator must have the same"
                            + " parallelism");
        }
    }

    /** Offers a message; an older one in the same lane of the queue is replaced. */
    public void offer(Class<?> kind, LoopMessage message) {
        queue.offer(kind, message);
    }

    @Override
    public void close() {
        LoopQueues.release(key);
    }
}
