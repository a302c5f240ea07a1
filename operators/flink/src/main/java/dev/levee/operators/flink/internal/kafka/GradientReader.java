package dev.levee.operators.flink.internal.kafka;

import dev.levee.operators.flink.internal.loop.LoopQueue;
import dev.levee.operators.flink.internal.loop.LoopQueues;

import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Reads partitions until the head of the loop beside it has ended. */
final class GradientReader implements SourceReader<byte[], KafkaPartitionSplit> {
    private final SourceReader<byte[], KafkaPartitionSplit> kafka;
    private final LoopQueues.Key key;
    private final LoopQueue loop;

    GradientReader(
            long run,
            SourceReader<byte[], KafkaPartitionSplit> kafka,
            SourceReaderContext context) {
        this.kafka = kafka;
        this.key = LoopQueues.Key.of(run, context);
        this.loop = LoopQueues.acquire(key);
    }

    @Override
    public void start() {
        kafka.start();
    }

    @Override
    public InputStatus pollNext(ReaderOutput<byte[]> output) throws Exception {
        return loop.ended().isDone() ? InputStatus.END_OF_INPUT : kafka.pollNext(output);
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
        return CompletableFuture.anyOf(kafka.isAvailable(), loop.ended()).thenApply(any -> null);
    }

    @Override
    public List<KafkaPartitionSplit> snapshotState(long checkpoint) {
        return kafka.snapshotState(checkpoint);
    }

    @Override
    public void notifyCheckpointComplete(long checkpoint) throws Exception {
        kafka.notifyCheckpointComplete(checkpoint);
    }

    @Override
    public void addSplits(List<KafkaPartitionSplit> splits) {
        kafka.addSplits(splits);
    }

    @Override
    public void notifyNoMoreSplits() {
        kafka.notifyNoMoreSplits();
    }

    @Override
    public void handleSourceEvents(SourceEvent event) {
        kafka.handleSourceEvents(event);
    }

    @Override
    public void close() throws Exception {
        LoopQueues.release(key);
        kafka.close();
    }
}
