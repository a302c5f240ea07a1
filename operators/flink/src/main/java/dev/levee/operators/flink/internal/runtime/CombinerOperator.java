package dev.levee.operators.flink.internal.runtime;

import dev.levee.operators.flink.internal.loop.LocalExchange;
import dev.levee.operators.rounds.GradientBlock;

import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

/** Adds up the contributions of the workers of a process. */
final class CombinerOperator extends AbstractCombinerOperator {
    private static final long serialVersionUID = 1L;

    private transient LocalExchange.Reader reader;

    CombinerOperator(StreamOperatorParameters<GradientBlock> parameters, LoopJob job) {
        super(parameters, job);
    }

    @Override
    public void open() throws Exception {
        super.open();
        TaskInfo task = getRuntimeContext().getTaskInfo();
        reader = LocalExchange.reader(job.run(), LoopGraph.COMBINERS, getRuntimeContext());
        reader.readBroadcast(task.getIndexOfThisSubtask(), task.getNumberOfParallelSubtasks());
    }

    @Override
    int expected(long round) {
        return workers(this::here);
    }

    @Override
    public void close() throws Exception {
        if (reader != null) {
            reader.close();
        }
        super.close();
    }
}
