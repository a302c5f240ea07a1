package dev.levee.operators.flink.internal.kafka;

import dev.levee.connectors.kafka.job.KafkaEdge;

import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * The records of the gradient topic, by Flink's own Kafka source. A topic never ends but a run
 * does: this source ends with the head of the loop in the same slot.
 */
public final class GradientSource
        implements Source<byte[], KafkaPartitionSplit, KafkaSourceEnumState> {
    private static final long serialVersionUID = 1L;

    private final long run;
    private final KafkaSource<byte[]> kafka;

    /** A source of a run's gradients. */
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
                        // A reader of committed records is held up by whoever leaves a transaction
                        // open, and anybody who may write gradients could.
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
}
