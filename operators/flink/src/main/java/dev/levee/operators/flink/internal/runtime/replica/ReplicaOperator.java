package dev.levee.operators.flink.internal.runtime.replica;

import dev.levee.operators.flink.internal.loop.LoopTail;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.StandIn;
import dev.levee.operators.rounds.StandbyPlace;
import dev.levee.operators.rounds.shard.ParameterBlock;
import dev.levee.operators.rounds.shard.Replica;
import dev.levee.operators.rounds.shard.ReplicaUpdate;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.vector.Slices;

import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import java.util.Optional;

/**
 * Keeps the replica of a server in one of its subtasks. Updates pass this operator before all
 * others, so the replica has them first. All subtasks report their replica at their start.
 * Checkpoints do not contain the replica, because it is newer than any of them.
 */
public final class ReplicaOperator extends AbstractStreamOperator<ShardReport>
        implements OneInputStreamOperator<ReplicaUpdate, ShardReport> {
    private static final long serialVersionUID = 1L;

    private final long run;
    private final Training training;
    private final Slices slices;
    private transient ReplicaHost.User host;
    private transient LoopTail tail;
    private transient Counter bytes;

    /**
     * The operator of one subtask.
     *
     * @param run the run's id as records carry it
     */
    public ReplicaOperator(
            StreamOperatorParameters<ShardReport> parameters,
            long run,
            Training training,
            Slices slices) {
        super(parameters);
        this.run = run;
        this.training = training;
        this.slices = slices;
    }

    @Override
    public void open() throws Exception {
        super.open();
        bytes = getMetricGroup().counter("replicaBytes");
        tail = new LoopTail(run, getRuntimeContext(), getProcessingTimeService());
        host = ReplicaHost.use(getRuntimeContext(), run, training, slices);
        Optional<Replica.Model> held = host.first() ? host.replica().takeOver() : Optional.empty();
        TaskInfo task = getRuntimeContext().getTaskInfo();
        StandbyPlace place =
                new StandbyPlace(
                        task.getIndexOfThisSubtask(),
                        task.getNumberOfParallelSubtasks(),
                        ReplicaHost.PROCESS,
                        held.map(Replica.Model::version).orElse(StandbyPlace.NONE));
        for (int index = 0; index < slices.count(); index++) {
            ParameterBlock block = held.isEmpty() ? null : held.get().blocks().get(index);
            tail.offer(
                    StandIn.class,
                    new StandIn(
                            new ShardId(0, index),
                            place,
                            block == null ? null : block.values(),
                            block == null ? null : block.moments()));
        }
        report(
                new ShardReport.Standing(
                        0,
                        place,
                        held.map(Replica.Model::behind).orElse(0L),
                        held.map(Replica.Model::distance).orElse(0.0)));
    }

    @Override
    public void processElement(StreamRecord<ReplicaUpdate> record) {
        ReplicaUpdate update = record.getValue();
        bytes.inc(update.bytes());
        ModelBlock shown = host.replica().keep(update);
        tail.offer(ModelBlock.class, shown);
        report(new ShardReport.Copied(shown.round(), shown.shard(), update.bytes()));
        report(update.applied());
    }

    private void report(ShardReport report) {
        output.collect(new StreamRecord<>(report));
    }

    @Override
    public void finish() throws Exception {
        host.end();
        super.finish();
    }

    @Override
    public void close() throws Exception {
        if (tail != null) {
            tail.close();
        }
        if (host != null) {
            host.close();
        }
        super.close();
    }
}
