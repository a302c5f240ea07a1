package dev.levee.operators.flink.internal.runtime;

import dev.levee.operators.flink.internal.loop.LocalExchange;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.transfer.Combiner;

import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;

import java.time.Duration;

/**
 * Adds up what the workers of a process send. It passes on everything before a checkpoint barrier,
 * so it has no state.
 */
final class CombinerOperator extends AbstractStreamOperator<GradientBlock>
        implements OneInputStreamOperator<GradientBlock, GradientBlock>, BoundedOneInput {
    private static final long serialVersionUID = 1L;

    /** Time that a contribution waits for others of its host if a round may close without them. */
    static final Duration LINGER = Duration.ofMillis(50);

    /**
     * The same in rounds that wait for all workers: others are absent only after a restart or while
     * a job starts.
     */
    static final Duration SYNCHRONOUS_LINGER = Duration.ofSeconds(1);

    private final LoopJob job;
    private transient Combiner combiner;
    private transient LocalExchange.Reader reader;
    private transient Counter contributions;
    private transient Counter sent;
    private transient boolean timer;

    CombinerOperator(StreamOperatorParameters<GradientBlock> parameters, LoopJob job) {
        super(parameters);
        this.job = job;
    }

    @Override
    public void open() throws Exception {
        super.open();
        contributions = getMetricGroup().counter("blocksReceived");
        sent = getMetricGroup().counter("blocksSent");
        TaskInfo task = getRuntimeContext().getTaskInfo();
        int subtasks = task.getNumberOfParallelSubtasks();
        combiner = new Combiner(job.training(), job.slices(), () -> here(subtasks), this::send);
        reader = LocalExchange.reader(job.run(), LoopGraph.COMBINERS, getRuntimeContext());
        reader.readBroadcast(task.getIndexOfThisSubtask(), subtasks);
    }

    /** Workers whose subtasks are in this process. */
    private int here(int subtasks) {
        LocalExchange exchange = LocalExchange.of(job.run());
        int workers = 0;
        for (int worker = 0; worker < job.training().workers(); worker++) {
            int subtask = HostPartitioner.subtask(job, worker, subtasks);
            workers += exchange == null || exchange.reads(LoopGraph.WORKERS, subtask) ? 1 : 0;
        }
        return workers;
    }

    private void send(GradientBlock block) {
        sent.inc();
        output.collect(new StreamRecord<>(block));
    }

    @Override
    public void processElement(StreamRecord<GradientBlock> record) {
        contributions.inc();
        combiner.gradient(record.getValue());
        if (combiner.waiting() && !timer) {
            timer = true;
            boolean all =
                    job.training().synchronous()
                            && job.training().admission().timeout() == null
                            && job.training().admission().deadline() == null;
            ProcessingTimeService clock = getProcessingTimeService();
            clock.registerTimer(
                    clock.getCurrentProcessingTime()
                            + (all ? SYNCHRONOUS_LINGER : LINGER).toMillis(),
                    time -> {
                        timer = false;
                        combiner.flush();
                    });
        }
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) {
        combiner.flush();
    }

    @Override
    public void endInput() {
        combiner.flush();
    }

    @Override
    public void close() throws Exception {
        if (reader != null) {
            reader.close();
        }
        super.close();
    }
}
