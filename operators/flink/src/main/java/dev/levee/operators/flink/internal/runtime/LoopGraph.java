package dev.levee.operators.flink.internal.runtime;

import dev.levee.connectors.kafka.job.KafkaEdge;
import dev.levee.operators.flink.internal.codec.Destination;
import dev.levee.operators.flink.internal.codec.RecordKind;
import dev.levee.operators.flink.internal.codec.RecordType;
import dev.levee.operators.flink.internal.loop.HeadSource;
import dev.levee.operators.flink.internal.records.RunEvent;
import dev.levee.operators.flink.internal.runtime.operator.OperatorFactory;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.training.RunSink;
import dev.levee.operators.rounds.training.Training;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.transformations.PartitionTransformation;
import org.apache.flink.util.OutputTag;

import java.util.HashMap;
import java.util.Map;

/**
 * The job graph of the round loop: the edges between operators, and their names. The loop sets its
 * requirements on its own operators and edges; the rest of the job belongs to its user.
 */
public final class LoopGraph {
    static final String WORKERS = "workers";
    static final String COMBINERS = "combiners";
    static final String AGGREGATORS = "aggregators";
    static final String SHARDS = "parameter-shards";
    static final String STAGES = "stages";
    static final String ORACLE = "oracle";
    static final String ORACLE_MODELS = "oracle-models";

    private final StreamExecutionEnvironment environment;
    private final LoopJob job;
    private final Map<String, RecordType<GradientBlock>> rowTypes = new HashMap<>();

    /**
     * Creates a loop whose workers are operators of the job.
     *
     * @param maxParallelism largest parallelism to which it can be rescaled
     */
    public static LoopGraph inProcess(
            StreamExecutionEnvironment environment, Training training, int maxParallelism) {
        LoopEdge edge = new InProcess(Header.run(training.runId()));
        return new LoopGraph(environment, LoopJob.of(training, edge, maxParallelism));
    }

    /**
     * Creates a loop whose workers are outside the job and use Kafka.
     *
     * @param maxParallelism largest parallelism to which it can be rescaled
     * @throws IllegalArgumentException if several servers do not exchange models or do not wait for
     *     each other, or if workers would read servers neither together nor one by one
     */
    public static LoopGraph overKafka(
            StreamExecutionEnvironment environment,
            Training training,
            KafkaEdge kafka,
            int maxParallelism) {
        LoopEdge edge = OverKafka.of(training, kafka);
        return new LoopGraph(environment, LoopJob.of(training, edge, maxParallelism));
    }

    private LoopGraph(StreamExecutionEnvironment environment, LoopJob job) {
        this.environment = environment;
        this.job = job;
    }

    /** Adds the loop to its job; returns the gradients that arrived too late. */
    public DataStream<GradientBlock> add(RunSink sink) {
        Results results = build(sink, false);
        discard(results.parameters());
        LoopNames.distinguish(environment.getTransformations());
        return results.late();
    }

    /** Adds the loop to its job; returns the final parameters of each server, in order. */
    public DataStream<float[]> addAndReturn() {
        SingleOutputStreamOperator<float[]> parameters = build(result -> {}, true).parameters();
        LoopNames.distinguish(environment.getTransformations());
        return parameters;
    }

    private record Results(
            DataStream<GradientBlock> late, SingleOutputStreamOperator<float[]> parameters) {}

    StreamExecutionEnvironment environment() {
        return environment;
    }

    LoopJob job() {
        return job;
    }

    /**
     * Makes an operator part of this loop: it sends records at once, and its names contain the run.
     */
    <T> SingleOutputStreamOperator<T> own(
            SingleOutputStreamOperator<T> operator, String uid, String description) {
        own(operator.getTransformation(), uid, description);
        return operator;
    }

    void own(Transformation<?> operator, String uid, String description) {
        operator.setUid(job.uid(uid));
        operator.setDescription(description);
        operator.setBufferTimeout(0);
        if (operator.getMaxParallelism() != 1) {
            operator.setMaxParallelism(job.maxParallelism());
        }
    }

    /** Co-locates each subtask with the head of the same index. */
    void besideHead(SingleOutputStreamOperator<?> operator) {
        besideHead(operator.getTransformation());
    }

    void besideHead(Transformation<?> operator) {
        operator.setCoLocationGroupKey(LoopNames.coLocation(job.training().runId()));
    }

    /**
     * Aligns barriers on this edge, even if the job's other checkpoints are unaligned. If a barrier
     * overtook records, a message that a shard sends after its snapshot could pass a head before
     * the head's snapshot and enter a worker's state. The restored shard would then continue from
     * the previous round, and the worker would never answer that round again.
     */
    static <S extends DataStream<?>> S aligned(S partitioned) {
        ((PartitionTransformation<?>) partitioned.getTransformation())
                .getPartitioner()
                .disableUnalignedCheckpoints();
        return partitioned;
    }

    private Results build(RunSink sink, boolean returns) {
        requireNewRun();
        SingleOutputStreamOperator<LoopMessage> head = head();
        LoopEdge.Incoming gradients = job.edge().addGradients(this, head);
        DataStream<GradientBlock> rows = gradients.blocks();
        if (job.training().topology().exchanges()) {
            rows = rows.union(told(head));
        }
        SingleOutputStreamOperator<ShardReport> shards = shards(rows, instructions(head));
        LoopEdge.Evaluations evaluations =
                job.edge().addEvaluation(this, head.getSideOutput(HeadRouter.EVALUATED), sink);
        DataStream<ShardReport> reports =
                evaluations.with(gradients.with(ReplicaGraph.behind(this, shards)));
        SingleOutputStreamOperator<RunEvent> rounds =
                coordinator(
                        job.training().oracle() == null
                                ? reports
                                : reports.union(oracle(head, shards)));
        job.edge()
                .addPublisher(
                        this,
                        shards.getSideOutput(ShardOperator.VERSIONS)
                                .union(rounds.getSideOutput(CoordinatorOperator.VERSIONS)));
        SingleOutputStreamOperator<float[]> parameters =
                record(
                        rounds.union(evaluations.events(), head.getSideOutput(HeadRouter.FINAL)),
                        sink,
                        returns);
        return new Results(shards.getSideOutput(ShardOperator.LATE), parameters);
    }

    private void requireNewRun() {
        String runId = job.training().runId();
        if (LoopNames.has(environment.getTransformations(), runId)) {
            throw new IllegalArgumentException(
                    "run id " + runId + " is taken: each training of a job needs its own id");
        }
    }

    private SingleOutputStreamOperator<LoopMessage> head() {
        SingleOutputStreamOperator<LoopMessage> source =
                environment.fromSource(
                        new HeadSource(job.run(), job.slices().count(), job.servers()),
                        WatermarkStrategy.noWatermarks(),
                        "Head",
                        RecordKind.LOOP.asType(LoopMessage.class));
        own(
                source,
                "head",
                "Loop edge: models from the parameter shards and instructions from the round"
                        + " coordinator come in here, in process (the edge itself is not drawn)");
        besideHead(source.getTransformation());
        SingleOutputStreamOperator<LoopMessage> router =
                source.process(
                                new HeadRouter(job),
                                RecordKind.LOOP
                                        .asType(LoopMessage.class)
                                        .to(new Destination.Broadcast<>(job.run(), WORKERS)))
                        .name("Router");
        own(router, "router", "Models to workers and evaluation, instructions to parameter shards");
        besideHead(router.getTransformation());
        return router;
    }

    private DataStream<LoopMessage> instructions(SingleOutputStreamOperator<LoopMessage> head) {
        LoopJob shared = job;
        RecordType<LoopMessage> type = RecordKind.LOOP.asType(LoopMessage.class);
        return head.getSideOutput(
                new OutputTag<>(
                        HeadRouter.INSTRUCTIONS.getId(),
                        type.to(
                                new Destination.Keyed<>(
                                        job.run(),
                                        SHARDS,
                                        message -> shared.shard(message.shard())))));
    }

    /** Messages between servers, after the stage of Byzantine servers. */
    private DataStream<GradientBlock> told(SingleOutputStreamOperator<LoopMessage> head) {
        GradientStage liars = GradientStage.liars(job);
        DataStream<GradientBlock> told =
                head.getSideOutput(
                        new OutputTag<>(
                                HeadRouter.TOLD.getId(),
                                rowsTo(liars == null ? SHARDS : liars.uid())));
        return liars == null
                ? told
                : own(liars.apply(told, rowsTo(SHARDS)), liars.uid(), liars.description());
    }

    /** The type of rows sent to an operator that has the keys of shards. */
    RecordType<GradientBlock> rowsTo(String operator) {
        LoopJob shared = job;
        return rowTypes.computeIfAbsent(
                operator,
                name ->
                        RecordKind.GRADIENT
                                .asType(GradientBlock.class)
                                .to(
                                        new Destination.Keyed<>(
                                                shared.run(),
                                                name,
                                                row -> shared.shard(row.shard()))));
    }

    private SingleOutputStreamOperator<ShardReport> shards(
            DataStream<GradientBlock> gradients, DataStream<LoopMessage> instructions) {
        LoopJob shared = job;
        SingleOutputStreamOperator<ShardReport> shards =
                aligned(gradients.keyBy(gradient -> shared.shardKey(gradient.shard()), Types.INT))
                        .connect(
                                aligned(
                                        instructions.keyBy(
                                                message -> shared.shardKey(message.shard()),
                                                Types.INT)))
                        .transform(
                                "Parameter shards",
                                RecordKind.REPORT.asType(ShardReport.class),
                                new OperatorFactory<GradientBlock, LoopMessage, ShardReport>(
                                        ShardOperator.class,
                                        parameters -> new ShardOperator(parameters, shared)));
        own(
                shards,
                SHARDS,
                (job.servers() == 1 ? "" : job.servers() + " servers, each with ")
                        + job.slices().count()
                        + " blocks, "
                        + job.slices().dimension()
                        + " parameters; models go back to the head over the loop edge");
        besideHead(shards.getTransformation());
        return shards;
    }

    /** Scores each row that shards have accepted, on the model that it answers. */
    private DataStream<ShardReport> oracle(
            SingleOutputStreamOperator<LoopMessage> head,
            SingleOutputStreamOperator<ShardReport> shards) {
        LoopJob shared = job;
        // Records passed by reference need types that know their destination.
        DataStream<LoopMessage> models =
                head.getSideOutput(
                        new OutputTag<>(
                                HeadRouter.ANSWERED.getId(),
                                RecordKind.LOOP
                                        .asType(LoopMessage.class)
                                        .to(
                                                new Destination.Broadcast<>(
                                                        job.run(), ORACLE_MODELS))));
        DataStream<GradientBlock> rows =
                shards.getSideOutput(
                        new OutputTag<>(
                                ShardOperator.ACCEPTED.getId(),
                                RecordKind.GRADIENT
                                        .asType(GradientBlock.class)
                                        .to(
                                                new Destination.Keyed<>(
                                                        job.run(),
                                                        ORACLE,
                                                        row -> row.header().sender()))));
        SingleOutputStreamOperator<ShardReport> oracle =
                aligned(models.broadcast())
                        .connect(
                                aligned(
                                        rows.keyBy(
                                                row -> shared.workerKeys()[row.header().sender()],
                                                Types.INT)))
                        .transform(
                                "Oracle",
                                RecordKind.REPORT.asType(ShardReport.class),
                                new OperatorFactory<LoopMessage, GradientBlock, ShardReport>(
                                        OracleOperator.class,
                                        parameters -> new OracleOperator(parameters, shared)));
        return own(
                oracle,
                ORACLE,
                "Scores each gradient on "
                        + job.training().oracle().batchSize()
                        + " of the server's own samples");
    }

    private SingleOutputStreamOperator<RunEvent> coordinator(DataStream<ShardReport> reports) {
        LoopJob shared = job;
        SingleOutputStreamOperator<RunEvent> coordinator =
                aligned(
                                reports.keyBy(
                                        report -> shared.coordinatorKeys()[report.shard().server()],
                                        Types.INT))
                        .transform(
                                "Round coordinator",
                                RecordKind.EVENT.asType(RunEvent.class),
                                new OperatorFactory<ShardReport, Void, RunEvent>(
                                        CoordinatorOperator.class,
                                        parameters -> new CoordinatorOperator(parameters, shared)));
        own(
                coordinator,
                "round-coordinator",
                "Closes rounds with "
                        + job.training().rule().name()
                        + "; instructions go back to the head over the loop edge");
        besideHead(coordinator.getTransformation());
        return coordinator;
    }

    /** Evaluation by the job itself. */
    SingleOutputStreamOperator<RunEvent> evaluation(DataStream<LoopMessage> models, RunSink sink) {
        LoopJob shared = job;
        return evaluation(
                models,
                new OperatorFactory<LoopMessage, Void, RunEvent>(
                        EvaluationOperator.class,
                        parameters -> new EvaluationOperator(parameters, shared, sink)),
                "Test accuracy and loss, outside the loop");
    }

    SingleOutputStreamOperator<RunEvent> evaluation(
            DataStream<LoopMessage> models,
            OperatorFactory<LoopMessage, Void, RunEvent> operator,
            String description) {
        SingleOutputStreamOperator<RunEvent> evaluation =
                aligned(models.global())
                        .transform("Evaluation", RecordKind.EVENT.asType(RunEvent.class), operator)
                        .setParallelism(1)
                        .setMaxParallelism(1);
        return own(evaluation, "evaluation", description);
    }

    private SingleOutputStreamOperator<float[]> record(
            DataStream<RunEvent> events, RunSink sink, boolean returns) {
        LoopJob shared = job;
        SingleOutputStreamOperator<float[]> recorder =
                aligned(events.global())
                        .transform(
                                "Recorder",
                                PrimitiveArrayTypeInfo.FLOAT_PRIMITIVE_ARRAY_TYPE_INFO,
                                new OperatorFactory<RunEvent, Void, float[]>(
                                        RecorderOperator.class,
                                        parameters ->
                                                new RecorderOperator(
                                                        parameters, shared, sink, returns)))
                        .setParallelism(1)
                        .setMaxParallelism(1);
        return own(recorder, "recorder", "History of the run; writes the results when it is over");
    }

    private void discard(DataStream<float[]> recorder) {
        recorder.sinkTo(new DiscardingSink<>())
                .name("Done")
                .uid(job.uid("done"))
                .setParallelism(1)
                .setMaxParallelism(1);
    }
}
