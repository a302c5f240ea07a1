package dev.levee.operators.flink.internal.runtime;

import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.participant.GradientComputer;

import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** Runs workers that compute their whole gradients in their own subtask. */
final class WorkersOperator extends AbstractWorkersOperator
        implements OneInputStreamOperator<LoopMessage, GradientBlock>, BoundedOneInput {
    private static final long serialVersionUID = 1L;

    WorkersOperator(StreamOperatorParameters<GradientBlock> parameters, LoopJob job) {
        super(parameters, job);
    }

    @Override
    GradientComputer computer(String name, int workers) {
        String owner = getRuntimeContext().getJobInfo().getJobId() + "/" + job.run();
        return GradientComputer.sharing(owner, job.training(), name, this);
    }

    @Override
    public void processElement(StreamRecord<LoopMessage> record) {
        take(record);
    }

    @Override
    public void endInput() {
        end();
    }
}
