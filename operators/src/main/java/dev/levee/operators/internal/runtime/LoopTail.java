package dev.levee.operators.internal.runtime;

import dev.levee.operators.internal.loop.LoopQueue;
import dev.levee.operators.internal.loop.LoopQueues;
import dev.levee.operators.rounds.LoopMessage;

import org.apache.flink.streaming.api.operators.StreamingRuntimeContext;

/** An operator's end of the loop edge. */
final class LoopTail implements AutoCloseable {
    private final String job;
    private final int subtask;
    private final LoopQueue queue;

    LoopTail(StreamingRuntimeContext context) {
        this.job = context.getJobInfo().getJobId().toString();
        this.subtask = context.getTaskInfo().getIndexOfThisSubtask();
        this.queue = LoopQueues.acquire(job, subtask);
    }

    void offer(Class<?> kind, LoopMessage message) {
        queue.offer(kind, message);
    }

    @Override
    public void close() {
        LoopQueues.release(job, subtask);
    }
}
