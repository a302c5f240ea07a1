package dev.levee.operators.flink.internal.runtime;

import dev.levee.connectors.kafka.KafkaEdge;
import dev.levee.operators.flink.Adversaries;
import dev.levee.operators.flink.RunSink;
import dev.levee.operators.flink.internal.codec.RecordKind;
import dev.levee.operators.flink.internal.kafka.GateOperator;
import dev.levee.operators.flink.internal.loop.HeadSource;
import dev.levee.operators.rounds.AttackPlan;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.Training;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.BasicTypeInfo;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.transformations.OneInputTransformation;
import org.apache.flink.streaming.api.transformations.SideOutputTransformation;

/** The job graph of the round loop: which operator feeds which, and how each is called. */
public final class LoopGraph {
    private final StreamExecutionEnvironment environment;
    private final LoopJob job;
    private final String loop;

    /** Adds a loop whose workers are outside, behind Kafka; returns late gradients. */
    public static DataStream<GradientBlock> addOverKafka(
            StreamExecutionEnvironment environment,
            Training training,
            KafkaEdge edge,
            RunSink sink) {
        LoopJob job = LoopJob.of(training, edge, environment.getMaxParallelism());
        LoopGraph graph = new LoopGraph(environment, job);
        Results results = graph.buildOverKafka(sink);
        graph.discard(results.parameters());
        return results.late();
    }

    private LoopGraph(StreamExecutionEnvironment environment, LoopJob job) {
        this.environment = environment;
        this.job = job;
        this.loop = "loop-" + job.training().runId();
    }

    /** Adds the loop to a job; returns the gradients that came too late. */
    public static DataStream<GradientBlock> add(
            StreamExecutionEnvironment environment, Training training, RunSink sink) {
        LoopJob job = LoopJob.of(training, null, environment.getMaxParallelism());
        LoopGraph graph = new LoopGraph(environment, job);
        Results results = graph.build(sink);
        graph.discard(results.parameters());
        return results.late();
    }

    /** Adds the loop to a job; returns one record, the final parameters. */
    public static DataStream<float[]> addAndReturn(
            StreamExecutionEnvironment environment, Training training) {
        LoopJob job = LoopJob.of(training, null, environment.getMaxParallelism());
        return new LoopGraph(environment, job).build(result -> {}).parameters();
    }

    private record Results(
            DataStream<GradientBlock> late, SingleOutputStreamOperator<float[]> parameters) {}

    private Results build(RunSink sink) {
        SingleOutputStreamOperator<LoopMessage> head = head();
        DataStream<GradientBlock> workers = workers(head);
        DataStream<GradientBlock> gradients = workers;
        AttackPlan plan = AttackPlan.of(job.training());
        if (plan.onTheWay()) {
            gradients = Adversaries.attack(gradients, plan, job.slices()).uid("adversary");
        }
        SingleOutputStreamOperator<ShardReport> shards =
                shards(gradients, head.getSideOutput(HeadRouter.INSTRUCTIONS));
        DataStream<ShardReport> reports =
                job.training().elasticity() == null ? shards : shards.union(efforts(workers));
        return results(head, shards, coordinator(reports), sink);
    }

    private Results buildOverKafka(RunSink sink) {
        SingleOutputStreamOperator<LoopMessage> head = head();
        SingleOutputStreamOperator<GradientBlock> gradients = KafkaEnds.gradients(environment, job);
        gradients.getTransformation().setCoLocationGroupKey(loop);
        SingleOutputStreamOperator<ShardReport> shards =
                shards(gradients, head.getSideOutput(HeadRouter.INSTRUCTIONS));
        SingleOutputStreamOperator<RunEvent> rounds =
                coordinator(shards.union(gradients.getSideOutput(GateOperator.REPORTS)));
        KafkaEnds.publish(
                shards.getSideOutput(ShardOperator.VERSIONS)
                        .union(rounds.getSideOutput(CoordinatorOperator.VERSIONS)),
                job);
        return results(head, shards, rounds, sink);
    }

    private Results results(
            SingleOutputStreamOperator<LoopMessage> head,
            SingleOutputStreamOperator<ShardReport> shards,
            DataStream<RunEvent> rounds,
            RunSink sink) {
        DataStream<RunEvent> evaluations = evaluation(head.getSideOutput(HeadRouter.EVALUATED));
        SingleOutputStreamOperator<float[]> parameters =
                record(rounds.union(evaluations, head.getSideOutput(HeadRouter.FINAL)), sink);
        return new Results(shards.getSideOutput(ShardOperator.LATE), parameters);
    }

    private SingleOutputStreamOperator<LoopMessage> head() {
        SingleOutputStreamOperator<LoopMessage> source =
                environment
                        .fromSource(
                                new HeadSource(job.slices().count()),
                                WatermarkStrategy.noWatermarks(),
                                "Head",
                                RecordKind.LOOP.asType(LoopMessage.class))
                        .uid("head");
        source.getTransformation().setCoLocationGroupKey(loop);
        SingleOutputStreamOperator<LoopMessage> router =
                source.process(new HeadRouter(), RecordKind.LOOP.asType(LoopMessage.class))
                        .name("Router")
                        .uid("router");
        describe(
                source,
                "Loop edge: models from the parameter shards and instructions from the round"
                        + " coordinator come in here, in process (the edge itself is not drawn)");
        describe(router, "Models to workers and evaluation, instructions to parameter shards");
        router.getTransformation().setCoLocationGroupKey(loop);
        return router;
    }

    private DataStream<GradientBlock> workers(DataStream<LoopMessage> models) {
        LoopJob shared = job;
        OneInputTransformation<LoopMessage, GradientBlock> transformation =
                new OneInputTransformation<>(
                        models.broadcast().getTransformation(),
                        "Workers",
                        new OperatorFactory<LoopMessage, Void, GradientBlock>(
                                WorkersOperator.class,
                                parameters -> new WorkersOperator(parameters, shared)),
                        RecordKind.GRADIENT.asType(GradientBlock.class),
                        environment.getParallelism(),
                        false);
        transformation.setUid("workers");
        transformation.setDescription(
                crowd(job.training())
                        + " workers compute gradients of "
                        + job.training().model().name()
                        + " off the task thread; state keyed by worker");
        // Never called: it only makes the operator's state keyed.
        transformation.setStateKeySelector(message -> 0);
        transformation.setStateKeyType(BasicTypeInfo.INT_TYPE_INFO);
        environment.addOperator(transformation);
        return new DataStream<>(environment, transformation);
    }

    private static String crowd(Training training) {
        return training.elasticity() == null
                ? String.valueOf(training.workers())
                : training.elasticity().minWorkers() + " to " + training.mostWorkers();
    }

    private DataStream<ShardReport> efforts(DataStream<GradientBlock> workers) {
        return new DataStream<>(
                environment,
                new SideOutputTransformation<>(
                        workers.getTransformation(), WorkersOperator.REPORTS));
    }

    private SingleOutputStreamOperator<ShardReport> shards(
            DataStream<GradientBlock> gradients, DataStream<LoopMessage> instructions) {
        LoopJob shared = job;
        SingleOutputStreamOperator<ShardReport> shards =
                gradients
                        .connect(instructions)
                        .keyBy(
                                gradient -> shared.blockKey(gradient.header().block()),
                                message -> shared.blockKey(message.block()),
                                Types.INT)
                        .transform(
                                "Parameter shards",
                                RecordKind.REPORT.asType(ShardReport.class),
                                new OperatorFactory<GradientBlock, LoopMessage, ShardReport>(
                                        ShardOperator.class,
                                        parameters -> new ShardOperator(parameters, shared)))
                        .uid("parameter-shards");
        describe(
                shards,
                job.slices().count()
                        + " blocks, "
                        + job.slices().dimension()
                        + " parameters; models go back to the head over the loop edge");
        shards.getTransformation().setCoLocationGroupKey(loop);
        return shards;
    }

    private SingleOutputStreamOperator<RunEvent> coordinator(DataStream<ShardReport> reports) {
        LoopJob shared = job;
        SingleOutputStreamOperator<RunEvent> coordinator =
                reports.keyBy(report -> LoopJob.COORDINATOR_KEY, Types.INT)
                        .transform(
                                "Round coordinator",
                                RecordKind.EVENT.asType(RunEvent.class),
                                new OperatorFactory<ShardReport, Void, RunEvent>(
                                        CoordinatorOperator.class,
                                        parameters -> new CoordinatorOperator(parameters, shared)))
                        .uid("round-coordinator");
        describe(
                coordinator,
                "Closes rounds with "
                        + job.training().rule().name()
                        + "; instructions go back to the head over the loop edge");
        coordinator.getTransformation().setCoLocationGroupKey(loop);
        return coordinator;
    }

    private DataStream<RunEvent> evaluation(DataStream<LoopMessage> models) {
        LoopJob shared = job;
        SingleOutputStreamOperator<RunEvent> evaluation =
                models.global()
                        .transform(
                                "Evaluation",
                                RecordKind.EVENT.asType(RunEvent.class),
                                new OperatorFactory<LoopMessage, Void, RunEvent>(
                                        EvaluationOperator.class,
                                        parameters -> new EvaluationOperator(parameters, shared)))
                        .setParallelism(1)
                        .setMaxParallelism(1)
                        .uid("evaluation");
        describe(evaluation, "Test accuracy and loss, beside the loop");
        return evaluation;
    }

    private SingleOutputStreamOperator<float[]> record(DataStream<RunEvent> events, RunSink sink) {
        LoopJob shared = job;
        SingleOutputStreamOperator<float[]> recorder =
                events.global()
                        .transform(
                                "Recorder",
                                PrimitiveArrayTypeInfo.FLOAT_PRIMITIVE_ARRAY_TYPE_INFO,
                                new OperatorFactory<RunEvent, Void, float[]>(
                                        RecorderOperator.class,
                                        parameters ->
                                                new RecorderOperator(parameters, shared, sink)))
                        .setParallelism(1)
                        .setMaxParallelism(1)
                        .uid("recorder");
        describe(recorder, "History of the run; writes the results when it is over");
        return recorder;
    }

    private void discard(DataStream<float[]> recorder) {
        recorder.sinkTo(new DiscardingSink<>())
                .name("Done")
                .uid("done")
                .setParallelism(1)
                .setMaxParallelism(1);
    }

    private static void describe(SingleOutputStreamOperator<?> operator, String description) {
        operator.setDescription(description);
    }
}
