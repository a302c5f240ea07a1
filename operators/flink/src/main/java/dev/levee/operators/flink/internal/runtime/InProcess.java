package dev.levee.operators.flink.internal.runtime;

import dev.levee.operators.flink.internal.codec.RecordKind;
import dev.levee.operators.flink.internal.kafka.Adoption;
import dev.levee.operators.flink.internal.kafka.VersionPart;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.Slices;
import dev.levee.operators.rounds.Training;

import org.apache.flink.api.common.typeinfo.BasicTypeInfo;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.transformations.OneInputTransformation;
import org.apache.flink.streaming.api.transformations.SideOutputTransformation;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Workers are operators of the job: the head broadcasts models, and nothing is published. */
record InProcess(long run) implements LoopEdge {
    @Override
    public boolean patient() {
        return false;
    }

    @Override
    public Optional<Adoption> published(Slices slices) {
        return Optional.empty();
    }

    @Override
    public void publish(Supplier<VersionPart> part, Consumer<VersionPart> publisher) {}

    @Override
    public Incoming addGradients(LoopGraph graph, DataStream<LoopMessage> models) {
        DataStream<GradientBlock> workers = workers(graph, models);
        DataStream<GradientBlock> gradients = workers;
        for (GradientStage stage : GradientStage.of(graph.job())) {
            gradients = graph.own(stage.apply(gradients), stage.uid(), stage.description());
        }
        DataStream<ShardReport> efforts =
                new DataStream<>(
                        graph.environment(),
                        new SideOutputTransformation<>(
                                workers.getTransformation(), WorkersOperator.REPORTS));
        return new Incoming(
                gradients, graph.job().training().elasticity() == null ? null : efforts);
    }

    private static DataStream<GradientBlock> workers(
            LoopGraph graph, DataStream<LoopMessage> models) {
        LoopJob job = graph.job();
        OneInputTransformation<LoopMessage, GradientBlock> transformation =
                new OneInputTransformation<>(
                        LoopGraph.aligned(models.broadcast()).getTransformation(),
                        "Workers",
                        new OperatorFactory<LoopMessage, Void, GradientBlock>(
                                WorkersOperator.class,
                                parameters -> new WorkersOperator(parameters, job)),
                        RecordKind.GRADIENT.asType(GradientBlock.class),
                        graph.environment().getParallelism(),
                        false);
        graph.own(
                transformation,
                "workers",
                crowd(job.training())
                        + " workers compute gradients of "
                        + job.training().model().name()
                        + " off the task thread; state keyed by worker");
        // Never called: it only makes the operator's state keyed.
        transformation.setStateKeySelector(message -> 0);
        transformation.setStateKeyType(BasicTypeInfo.INT_TYPE_INFO);
        graph.environment().addOperator(transformation);
        return new DataStream<>(graph.environment(), transformation);
    }

    private static String crowd(Training training) {
        return training.elasticity() == null
                ? String.valueOf(training.workers())
                : training.elasticity().minWorkers() + " to " + training.mostWorkers();
    }

    @Override
    public void addPublisher(LoopGraph graph, DataStream<VersionPart> parts) {}
}
