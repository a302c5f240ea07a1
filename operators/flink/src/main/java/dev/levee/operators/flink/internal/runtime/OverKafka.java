package dev.levee.operators.flink.internal.runtime;

import dev.levee.connectors.kafka.job.KafkaEdge;
import dev.levee.connectors.kafka.job.PastModels;
import dev.levee.connectors.kafka.job.VersionPart;
import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.operators.flink.internal.codec.RecordKind;
import dev.levee.operators.flink.internal.kafka.GateOperator;
import dev.levee.operators.flink.internal.kafka.GradientSource;
import dev.levee.operators.flink.internal.kafka.PublishedVersion;
import dev.levee.operators.flink.internal.kafka.PublisherOperator;
import dev.levee.operators.flink.internal.kafka.ToldScoresOperator;
import dev.levee.operators.flink.internal.records.RunEvent;
import dev.levee.operators.flink.internal.runtime.operator.OperatorFactory;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.SumNotice;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.RunSink;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.vector.Slices;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The edge of a loop whose workers are outside the job and communicate through Kafka topics. */
record OverKafka(KafkaEdge kafka) implements LoopEdge {
    private static final Logger LOG = LoggerFactory.getLogger(OverKafka.class);

    /**
     * Creates the edge of a training.
     *
     * @throws IllegalArgumentException if its servers do not support Kafka; one sentence
     */
    static OverKafka of(Training training, KafkaEdge kafka) {
        Topology topology = training.topology();
        boolean read = topology.readersCombine() || topology.separate();
        if (topology.servers() > 1 && !(topology.exchanges() && read)) {
            throw new IllegalArgumentException(
                    "several parameter servers behind Kafka exchange models, and workers read them"
                            + " AGGREGATE or PER_SERVER, got "
                            + topology.reading()
                            + (topology.exchanges() ? "" : " without an exchange"));
        }
        if (topology.remembersTold()) {
            throw new IllegalArgumentException(
                    "several servers behind Kafka exchange models synchronously, because topics do"
                            + " not hold what an asynchronous exchange needs after a restart");
        }
        if (topology.servers() > 1 && kafka.evaluator().asked()) {
            throw new IllegalArgumentException(
                    "a worker evaluates the model of one server, got " + topology.servers());
        }
        return new OverKafka(kafka);
    }

    @Override
    public long run() {
        return kafka.run();
    }

    /**
     * Returns true, because a restart of the broker delays all workers at once and proves no fault.
     */
    @Override
    public boolean patient() {
        return true;
    }

    @Override
    public Optional<PublishedVersion> published(Slices slices, BitSet shards, BitSet states) {
        return PublishedVersion.newest(kafka, slices, shards, states);
    }

    @Override
    public List<RoundReport> rounds(int memory, long from, PublishedVersion to) {
        return to.rounds(kafka, memory, from);
    }

    @Override
    public void unevaluated(LoopJob job, long after, PastModels.Output output) {
        BitSet first = new BitSet();
        first.set(0);
        try {
            job.published(new BitSet(), first)
                    .ifPresent(
                            newest ->
                                    newest.evaluated(
                                            kafka,
                                            job.slices(),
                                            after,
                                            (server, version, at, parameters) -> {
                                                // The published model of a Byzantine server is
                                                // forged.
                                                if (!job.training().topology().lies(server)) {
                                                    output.model(server, version, at, parameters);
                                                }
                                            }));
        } catch (KafkaException e) {
            LOG.warn("models from before the start are not evaluated", e);
        }
    }

    @Override
    public void publish(Supplier<VersionPart> part, Consumer<VersionPart> publisher) {
        publisher.accept(part.get());
    }

    @Override
    public void tell(SumNotice notice, Consumer<SumNotice> loop, Consumer<SumNotice> publisher) {
        publisher.accept(notice);
    }

    @Override
    public Incoming addGradients(LoopGraph graph, SingleOutputStreamOperator<LoopMessage> models) {
        KafkaEdge edge = kafka;
        Slices slices = graph.job().slices();
        Training training = graph.job().training();
        SingleOutputStreamOperator<byte[]> source =
                graph.environment()
                        .fromSource(
                                new GradientSource(edge),
                                WatermarkStrategy.noWatermarks(),
                                "Gradient topic",
                                RecordKind.RAW.asType(byte[].class));
        graph.own(source, "gradient-topic", edge.topics().gradients() + " at " + edge.kafka());
        SingleOutputStreamOperator<GradientBlock> gate =
                source.transform(
                        "Gate",
                        graph.rowsTo(LoopGraph.SHARDS),
                        new OperatorFactory<byte[], Void, GradientBlock>(
                                GateOperator.class,
                                parameters ->
                                        new GateOperator(parameters, edge, training, slices)));
        graph.own(
                gate,
                "gate",
                edge.job() == null
                        ? "Rejects records that are not gradients of this run; senders are not"
                                + " authenticated"
                        : "Rejects records that are not gradients of this run, signed by one of"
                                + " its workers");
        // The source ends with the head of its slot.
        graph.besideHead(gate.getTransformation());
        return new Incoming(gate, gate.getSideOutput(GateOperator.REPORTS));
    }

    @Override
    public Evaluations addEvaluation(
            LoopGraph graph, DataStream<LoopMessage> models, RunSink sink) {
        KafkaEdge edge = kafka;
        if (!edge.evaluator().asked()) {
            return LoopEdge.super.addEvaluation(graph, models, sink);
        }
        Training training = graph.job().training();
        SingleOutputStreamOperator<RunEvent> told =
                graph.evaluation(
                        models,
                        new OperatorFactory<LoopMessage, Void, RunEvent>(
                                ToldScoresOperator.class,
                                parameters -> new ToldScoresOperator(parameters, edge, training)),
                        "Scores as "
                                + KeyDirectory.name(edge.evaluator().worker())
                                + " reports them on "
                                + edge.topics().scores()
                                + "; the run does not depend on them");
        return new Evaluations(told, told.getSideOutput(ToldScoresOperator.REPORTS));
    }

    @Override
    public void addPublisher(LoopGraph graph, DataStream<VersionPart> parts) {
        KafkaEdge edge = kafka;
        Slices slices = graph.job().slices();
        Training training = graph.job().training();
        graph.own(
                LoopGraph.aligned(parts.global())
                        .transform(
                                "Publisher",
                                Types.VOID,
                                new OperatorFactory<VersionPart, Void, Void>(
                                        PublisherOperator.class,
                                        parameters ->
                                                new PublisherOperator(
                                                        parameters, edge, training, slices)))
                        .setParallelism(1)
                        .setMaxParallelism(1),
                "publisher",
                "Loop edge: publishes each version"
                        + (training.topology().servers() == 1 ? "" : " of all servers")
                        + " on "
                        + edge.topics().models()
                        + " in one transaction; workers answer on "
                        + edge.topics().gradients());
    }
}
