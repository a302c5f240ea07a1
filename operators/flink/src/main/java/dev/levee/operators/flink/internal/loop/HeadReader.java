package dev.levee.operators.flink.internal.loop;

import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.ModelBlock;

import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.core.io.InputStatus;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Reads the loop queue of one subtask. */
final class HeadReader implements SourceReader<LoopMessage, HeadSplit> {
    private final SourceReaderContext context;
    private final LoopQueues.Key key;
    private final LoopQueue queue;

    HeadReader(long run, SourceReaderContext context) {
        this.context = context;
        this.key = LoopQueues.Key.of(run, context);
        this.queue = LoopQueues.acquire(key);
    }

    @Override
    public void start() {
        queue.attachHead();
    }

    @Override
    public InputStatus pollNext(ReaderOutput<LoopMessage> output) {
        LoopMessage message = queue.poll();
        if (message == null) {
            return queue.ended().isDone()
                    ? InputStatus.END_OF_INPUT
                    : InputStatus.NOTHING_AVAILABLE;
        }
        output.collect(message);
        if (message instanceof ModelBlock model && model.settings().stop()) {
            context.sendSourceEventToCoordinator(new FinalBlockPassed(model.shard()));
        }
        return InputStatus.MORE_AVAILABLE;
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
        return queue.ended().isDone() ? queue.ended() : queue.available();
    }

    @Override
    public void notifyNoMoreSplits() {
        queue.end();
    }

    @Override
    public List<HeadSplit> snapshotState(long checkpoint) {
        return List.of();
    }

    @Override
    public void addSplits(List<HeadSplit> splits) {}

    @Override
    public void close() {
        LoopQueues.release(key);
    }
}
