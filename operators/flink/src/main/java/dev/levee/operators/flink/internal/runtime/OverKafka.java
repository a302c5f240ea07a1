package dev.levee.operators.flink.internal.runtime;

import dev.levee.connectors.kafka.KafkaEdge;
import dev.levee.operators.flink.internal.codec.RecordKind;
import dev.levee.operators.flink.internal.kafka.GateOperator;
import dev.levee.operators.flink.internal.kafka.GradientSource;
import dev.levee.operators.flink.internal.kafka.PublisherOperator;
import dev.levee.operators.flink.internal.kafka.VersionPart;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Slices;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The two ends of the loop edge over Kafka, in the place of workers inside the job. */
final class KafkaEnds {
    private KafkaEnds() {}

    /** Gradients of the run's workers, from their topic. */
    static SingleOutputStreamOperator<GradientBlock> gradients(
            StreamExecutionEnvironment environment, LoopJob job) {
        KafkaEdge edge = job.edge();
        Slices slices = job.slices();
        int workers = job.training().workers();
        SingleOutputStreamOperator<byte[]> source =
                environment
                        .fromSource(
                                new GradientSource(edge),
                                WatermarkStrategy.noWatermarks(),
                                "Gradient topic",
                                PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO)
                        .uid("gradient-topic");
        source.setDescription(edge.topics().gradients() + " at " + edge.kafka());
        SingleOutputStreamOperator<GradientBlock> gate =
                source.transform(
                                "Gate",
                                RecordKind.GRADIENT.asType(GradientBlock.class),
                                new OperatorFactory<byte[], Void, GradientBlock>(
                                        GateOperator.class,
                                        parameters ->
                                                new GateOperator(
                                                        parameters, edge, workers, slices)))
                        .uid("gate");
        gate.setDescription(
                edge.job() == null
                        ? "Refuses what is no gradient of this run; senders are not authenticated"
                        : "Refuses what is no gradient of this run, signed by one of its workers");
        return gate;
    }

    /** Publishes versions of the model on their topic. */
    static void publish(DataStream<VersionPart> parts, LoopJob job) {
        KafkaEdge edge = job.edge();
        Slices slices = job.slices();
        parts.global()
                .transform(
                        "Publisher",
                        Types.VOID,
                        new OperatorFactory<VersionPart, Void, Void>(
                                PublisherOperator.class,
                                parameters -> new PublisherOperator(parameters, edge, slices)))
                .setParallelism(1)
                .setMaxParallelism(1)
                .uid("publisher")
                .setDescription(
                        "Loop edge: publishes each version on "
                                + edge.topics().models()
                                + " in one transaction; workers answer on "
                                + edge.topics().gradients());
    }
}
