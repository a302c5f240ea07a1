package dev.levee.operators.flink.internal.runtime;

import dev.levee.operators.flink.internal.loop.LocalExchange;
import dev.levee.operators.flink.internal.loop.RunClock;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.transfer.Combiner;

import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;

import java.time.Duration;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Adds up the contributions that it receives. It emits everything before a checkpoint barrier, so
 * it has no state.
 */
abstract class AbstractCombinerOperator extends AbstractStreamOperator<GradientBlock>
        implements OneInputStreamOperator<GradientBlock, GradientBlock>, BoundedOneInput {
    private static final long serialVersionUID = 1L;

    /** How long a contribution waits for others of its host if a round may close without them. */
    static final Duration LINGER = Duration.ofMillis(50);

    /**
     * The same if rounds wait for all workers; then others are missing only during a start or after
     * a restart.
     */
    static final Duration SYNCHRONOUS_LINGER = Duration.ofSeconds(1);

    final LoopJob job;
    private transient Combiner combiner;
    private transient Counter received;
    private transient Counter sent;
    private transient boolean timer;

    AbstractCombinerOperator(StreamOperatorParameters<GradientBlock> parameters, LoopJob job) {
        super(parameters);
        this.job = job;
    }

    @Override
    public void open() throws Exception {
        super.open();
        received = getMetricGroup().counter("blocksReceived");
        sent = getMetricGroup().counter("blocksSent");
        combiner =
                new Combiner(
                        job.training(), job.slices(), this::expected, this::send, RunClock.WALL);
    }

    /** Number of workers whose contributions to a round arrive here. */
    abstract int expected(long round);

    /** Number of workers in matching subtasks. */
    final int workers(IntPredicate subtask) {
        int subtasks = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
        return (int)
                IntStream.range(0, job.training().workers())
                        .map(worker -> HostPartitioner.subtask(job, worker, subtasks))
                        .filter(subtask)
                        .count();
    }

    /** True if the workers of a subtask are in this process. */
    final boolean here(int subtask) {
        LocalExchange exchange = LocalExchange.of(job.run());
        return exchange == null || exchange.reads(LoopGraph.WORKERS, subtask);
    }

    private void send(GradientBlock block) {
        sent.inc();
        output.collect(new StreamRecord<>(block));
    }

    @Override
    public void processElement(StreamRecord<GradientBlock> record) {
        received.inc();
        combiner.gradient(record.getValue());
        if (combiner.waiting() && !timer) {
            timer = true;
            boolean all = job.training().synchronous() && job.training().admission().waits();
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
}
