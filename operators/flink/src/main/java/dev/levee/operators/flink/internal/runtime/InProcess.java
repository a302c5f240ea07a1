package dev.levee.operators.flink.internal.runtime;

import dev.levee.operators.flink.internal.codec.Destination;
import dev.levee.operators.flink.internal.codec.RecordKind;
import dev.levee.operators.flink.internal.codec.RecordType;
import dev.levee.operators.flink.internal.runtime.operator.OperatorFactory;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.StageMessage;
import dev.levee.operators.rounds.SumNotice;
import dev.levee.operators.rounds.pipeline.PipelinedModel;
import dev.levee.operators.rounds.training.Training;

import org.apache.flink.api.common.typeinfo.BasicTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.transformations.OneInputTransformation;
import org.apache.flink.streaming.api.transformations.SideOutputTransformation;
import org.apache.flink.streaming.api.transformations.TwoInputTransformation;
import org.apache.flink.util.OutputTag;

import java.util.List;
import java.util.function.Consumer;

/**
 * The edge of a loop whose workers are operators of the job: the head broadcasts models, and
 * nothing is published.
 */
record InProcess(long run) implements LoopEdge {
    private static final String NAME = "Workers";

    @Override
    public boolean patient() {
        return false;
    }

    @Override
    public void tell(SumNotice notice, Consumer<SumNotice> loop, Consumer<SumNotice> publisher) {
        loop.accept(notice);
    }

    @Override
    public Incoming addGradients(LoopGraph graph, SingleOutputStreamOperator<LoopMessage> models) {
        List<GradientStage> stages = GradientStage.of(graph.job());
        boolean combined = graph.job().training().admission().combined();
        DataStream<GradientBlock> workers =
                workers(
                        graph,
                        models,
                        combined
                                ? RecordKind.GRADIENT
                                        .asType(GradientBlock.class)
                                        .to(new Destination.Beside<>(run))
                                : graph.rowsTo(reader(stages, 0)));
        DataStream<GradientBlock> gradients = workers;
        DataStream<ShardReport> reports =
                reports(graph.job().training())
                        ? new DataStream<>(
                                graph.environment(),
                                new SideOutputTransformation<>(
                                        workers.getTransformation(),
                                        AbstractWorkersOperator.REPORTS))
                        : null;
        if (graph.job().training().admission().tree()) {
            SingleOutputStreamOperator<GradientBlock> sums =
                    aggregate(graph, combine(graph, workers, plain()), reader(stages, 0));
            reports = both(sums.getSideOutput(AggregatorOperator.REPORTS), reports);
            gradients = sums;
        } else if (combined) {
            gradients = combine(graph, workers, graph.rowsTo(reader(stages, 0)));
        }
        for (int at = 0; at < stages.size(); at++) {
            GradientStage stage = stages.get(at);
            gradients =
                    graph.own(
                            stage.apply(gradients, graph.rowsTo(reader(stages, at + 1))),
                            stage.uid(),
                            stage.description());
        }
        return new Incoming(gradients, reports);
    }

    private static DataStream<ShardReport> both(
            DataStream<ShardReport> reports, DataStream<ShardReport> others) {
        return others == null ? reports : reports.union(others);
    }

    /**
     * The type of records whose next subtask depends on the round, so they are never passed by
     * reference.
     */
    private static RecordType<GradientBlock> plain() {
        return RecordKind.GRADIENT.asType(GradientBlock.class);
    }

    /**
     * Adds up the contributions of each process; workers and combiners with the same index share
     * one.
     */
    private static DataStream<GradientBlock> combine(
            LoopGraph graph, DataStream<GradientBlock> workers, RecordType<GradientBlock> type) {
        LoopJob job = graph.job();
        graph.besideHead(workers.getTransformation());
        SingleOutputStreamOperator<GradientBlock> combiners =
                LoopGraph.aligned(
                                workers.partitionCustom(
                                        new HostPartitioner(job), GradientBlock::header))
                        .transform(
                                "Combiners",
                                type,
                                new OperatorFactory<GradientBlock, Void, GradientBlock>(
                                        CombinerOperator.class,
                                        parameters -> new CombinerOperator(parameters, job)));
        graph.besideHead(combiners);
        return graph.own(
                combiners,
                LoopGraph.COMBINERS,
                "Adds up the gradients of each process, one record a block");
    }

    /** Adds up the sums of several processes. */
    private static SingleOutputStreamOperator<GradientBlock> aggregate(
            LoopGraph graph, DataStream<GradientBlock> sums, String reader) {
        LoopJob job = graph.job();
        SingleOutputStreamOperator<GradientBlock> aggregators =
                LoopGraph.aligned(
                                sums.partitionCustom(
                                        new TreePartitioner(job), GradientBlock::header))
                        .transform(
                                "Aggregators",
                                graph.rowsTo(reader),
                                new OperatorFactory<GradientBlock, Void, GradientBlock>(
                                        AggregatorOperator.class,
                                        parameters -> new AggregatorOperator(parameters, job)));
        graph.besideHead(aggregators);
        return graph.own(
                aggregators,
                LoopGraph.AGGREGATORS,
                "Adds up the sums of several processes, as a scheduler says; at most "
                        + job.training().admission().fanIn()
                        + " send to the server");
    }

    /** True if workers send reports to coordinators. */
    private static boolean reports(Training training) {
        return training.plan().measuresEffort()
                || training.admission().ordered()
                || training.admission().masking().rates().isPresent()
                || training.topology().failover() != null
                || training.model().ownCode()
                || training.work().scores();
    }

    /** The operator that reads gradients at stage {@code next}: after the last one, the shards. */
    private static String reader(List<GradientStage> stages, int next) {
        return next < stages.size() ? stages.get(next).uid() : LoopGraph.SHARDS;
    }

    private static DataStream<GradientBlock> workers(
            LoopGraph graph,
            SingleOutputStreamOperator<LoopMessage> models,
            RecordType<GradientBlock> type) {
        LoopJob job = graph.job();
        Transformation<LoopMessage> broadcast =
                LoopGraph.aligned(models.broadcast()).getTransformation();
        Transformation<GradientBlock> workers;
        String how = "";
        if (job.training().model() instanceof PipelinedModel model) {
            workers = pipelined(graph, broadcast, stages(job, models), model, type);
            how = ", each through " + model.stages() + " stages";
        } else {
            workers = lone(graph, broadcast, type);
        }
        graph.own(
                workers,
                LoopGraph.WORKERS,
                job.training().plan().crowd(job.training())
                        + " workers compute gradients of "
                        + job.training().model().name()
                        + how
                        + " off the task thread; state keyed by worker");
        graph.environment().addOperator(workers);
        return new DataStream<>(graph.environment(), workers);
    }

    private static Transformation<GradientBlock> lone(
            LoopGraph graph, Transformation<LoopMessage> models, RecordType<GradientBlock> type) {
        LoopJob job = graph.job();
        OneInputTransformation<LoopMessage, GradientBlock> workers =
                new OneInputTransformation<>(
                        models,
                        NAME,
                        new OperatorFactory<LoopMessage, Void, GradientBlock>(
                                WorkersOperator.class,
                                parameters -> new WorkersOperator(parameters, job)),
                        type,
                        graph.environment().getParallelism(),
                        false);
        // Never called; it only makes the operator's state keyed.
        workers.setStateKeySelector(message -> 0);
        workers.setStateKeyType(BasicTypeInfo.INT_TYPE_INFO);
        return workers;
    }

    /** Adds workers whose stages exchange messages over the loop. */
    private static Transformation<GradientBlock> pipelined(
            LoopGraph graph,
            Transformation<LoopMessage> models,
            DataStream<StageMessage> stages,
            PipelinedModel model,
            RecordType<GradientBlock> type) {
        LoopJob job = graph.job();
        TwoInputTransformation<LoopMessage, StageMessage, GradientBlock> workers =
                new TwoInputTransformation<>(
                        models,
                        stages.getTransformation(),
                        NAME,
                        new OperatorFactory<LoopMessage, StageMessage, GradientBlock>(
                                PipelinedWorkersOperator.class,
                                parameters -> new PipelinedWorkersOperator(parameters, job, model)),
                        type,
                        graph.environment().getParallelism(),
                        false);
        workers.setStateKeySelectors(message -> 0, message -> 0);
        workers.setStateKeyType(BasicTypeInfo.INT_TYPE_INFO);
        graph.besideHead(workers);
        return workers;
    }

    private static DataStream<StageMessage> stages(
            LoopJob job, SingleOutputStreamOperator<LoopMessage> head) {
        DataStream<StageMessage> messages =
                head.getSideOutput(
                        new OutputTag<>(
                                HeadRouter.STAGES.getId(),
                                RecordKind.STAGE
                                        .asType(StageMessage.class)
                                        .to(
                                                new Destination.Keyed<>(
                                                        job.run(),
                                                        LoopGraph.STAGES,
                                                        message -> job.stage(message)))));
        return LoopGraph.aligned(
                messages.keyBy(message -> job.stageKeys()[job.stage(message)], Types.INT));
    }
}
