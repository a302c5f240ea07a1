package dev.levee.operators.flink.internal.kafka;

import dev.levee.connectors.kafka.job.KafkaEdge;
import dev.levee.operators.flink.internal.codec.RecordKind;
import dev.levee.operators.flink.internal.loop.LoopQueue;
import dev.levee.operators.flink.internal.loop.LoopQueues;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Reads the gradient topic with Flink's Kafka source. A topic never ends, so this source ends
 * together with the loop's head in the same slot.
 */
public final class GradientSource
        implements Source<byte[], KafkaPartitionSplit, KafkaSourceEnumState> {
    private static final long serialVersionUID = 1L;

    private final long run;
    private final KafkaSource<byte[]> kafka;

    /** Creates a source of a run's gradients. */
    public GradientSource(KafkaEdge edge) {
        this.run = edge.run();
        Map<TopicPartition, Long> offsets = new HashMap<>();
        edge.startingOffsets()
                .forEach(
                        (partition, offset) ->
                                offsets.put(
                                        new TopicPartition(edge.topics().gradients(), partition),
                                        offset));
        this.kafka =
                KafkaSource.<byte[]>builder()
                        .setProperties(edge.kafka().properties())
                        .setBootstrapServers(edge.kafka().bootstrapServers())
                        .setTopics(edge.topics().gradients())
                        .setGroupId(edge.topics().name())
                        .setStartingOffsets(
                                OffsetsInitializer.offsets(offsets, OffsetResetStrategy.EARLIEST))
                        .setDeserializer(new RawValues())
                        // An open transaction would block a reader of committed records, and any
                        // writer of gradients could leave one open.
                        .setProperty(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted")
                        .setProperty("partition.discovery.interval.ms", "-1")
                        .build();
    }

    @Override
    public Boundedness getBoundedness() {
        return Boundedness.CONTINUOUS_UNBOUNDED;
    }

    @Override
    public SourceReader<byte[], KafkaPartitionSplit> createReader(SourceReaderContext context)
            throws Exception {
        return new GradientReader(run, kafka.createReader(context), context);
    }

    @Override
    public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> createEnumerator(
            SplitEnumeratorContext<KafkaPartitionSplit> context) {
        return kafka.createEnumerator(context);
    }

    @Override
    public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> restoreEnumerator(
            SplitEnumeratorContext<KafkaPartitionSplit> context, KafkaSourceEnumState state)
            throws IOException {
        return kafka.restoreEnumerator(context, state);
    }

    @Override
    public SimpleVersionedSerializer<KafkaPartitionSplit> getSplitSerializer() {
        return kafka.getSplitSerializer();
    }

    @Override
    public SimpleVersionedSerializer<KafkaSourceEnumState> getEnumeratorCheckpointSerializer() {
        return kafka.getEnumeratorCheckpointSerializer();
    }

    /**
     * Emits the value of each record unchanged. A record without a value becomes an empty array, so
     * the gate counts it as malformed.
     */
    private static final class RawValues implements KafkaRecordDeserializationSchema<byte[]> {
        private static final long serialVersionUID = 1L;
        private static final byte[] NONE = new byte[0];

        @Override
        public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<byte[]> out) {
            out.collect(record.value() == null ? NONE : record.value());
        }

        @Override
        public TypeInformation<byte[]> getProducedType() {
            return RecordKind.RAW.asType(byte[].class);
        }
    }

    /** Reads partitions until the loop's head in the same slot has ended. */
    private static final class GradientReader implements SourceReader<byte[], KafkaPartitionSplit> {
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
            return CompletableFuture.anyOf(kafka.isAvailable(), loop.ended())
                    .thenApply(any -> null);
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
}
