package dev.levee.operators.flink.internal.runtime;

import dev.levee.operators.flink.internal.codec.RecordKind;
import dev.levee.operators.flink.internal.loop.LocalExchange;
import dev.levee.operators.flink.internal.loop.RunClock;
import dev.levee.operators.flink.internal.runtime.replica.ReplicaHost;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.ShardReport;

import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/**
 * Adds up the sums of several processes, as the tree of sums says. It reports its process, and the
 * transit times of sums from other processes, to the scheduler of trees.
 */
final class AggregatorOperator extends AbstractCombinerOperator {
    private static final long serialVersionUID = 1L;

    static final OutputTag<ShardReport> REPORTS =
            new OutputTag<>("aggregators", RecordKind.REPORT.asType(ShardReport.class));

    /** The number of workers whose contributions to a round arrive here. */
    private record Expected(long round, int workers) {}

    private transient Expected expected;

    AggregatorOperator(StreamOperatorParameters<GradientBlock> parameters, LoopJob job) {
        super(parameters, job);
    }

    @Override
    public void open() throws Exception {
        super.open();
        TaskInfo task = getRuntimeContext().getTaskInfo();
        report(
                new ShardReport.Placed(
                        0,
                        task.getIndexOfThisSubtask(),
                        task.getNumberOfParallelSubtasks(),
                        ReplicaHost.PROCESS));
    }

    @Override
    int expected(long round) {
        if (expected == null || expected.round() != round) {
            expected = new Expected(round, workers(subtask -> isSentHere(round, subtask)));
        }
        return expected.workers();
    }

    private boolean isSentHere(long round, int subtask) {
        LocalExchange exchange = LocalExchange.of(job.run());
        int to = exchange == null ? -1 : exchange.trees().aggregator(round, subtask, -1);
        return to < 0
                ? here(subtask)
                : to == getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    }

    @Override
    public void processElement(StreamRecord<GradientBlock> record) {
        GradientBlock block = record.getValue();
        int sender = block.header().sender();
        int subtasks = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
        if (block.header().block() == job.slices().count() - 1
                && !here(HostPartitioner.subtask(job, sender, subtasks))) {
            report(
                    new ShardReport.Gathered(
                            block.header().round(),
                            0,
                            sender,
                            block.computedAt(),
                            RunClock.WALL.getAsLong()));
        }
        super.processElement(record);
    }

    private void report(ShardReport report) {
        output.collect(REPORTS, new StreamRecord<>(report));
    }
}
