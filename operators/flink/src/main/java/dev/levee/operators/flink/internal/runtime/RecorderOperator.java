package dev.levee.operators.flink.internal.runtime;

import dev.levee.operators.flink.internal.codec.RecordKind;
import dev.levee.operators.flink.internal.records.RunEvent;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.RunResult;
import dev.levee.operators.rounds.RunSink;
import dev.levee.operators.rounds.Slices;
import dev.levee.operators.rounds.WorkerCounts;

import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import java.util.List;
import java.util.TreeMap;

/**
 * Collects the run's history, which survives failures, and hands it to the sink when the run is
 * over; the final parameters are its one output.
 */
final class RecorderOperator extends AbstractStreamOperator<float[]>
        implements OneInputStreamOperator<RunEvent, float[]> {
    private static final long serialVersionUID = 1L;

    private final LoopJob job;
    private final RunSink sink;
    private final RunHistory history = new RunHistory(RunHistory.MOST_REPORTS);
    private final TreeMap<Integer, ModelBlock> finalBlocks = new TreeMap<>();
    private List<WorkerCounts> workers = List.of();
    private transient ListState<RunEvent> state;

    RecorderOperator(StreamOperatorParameters<float[]> parameters, LoopJob job, RunSink sink) {
        super(parameters);
        this.job = job;
        this.sink = sink;
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        state =
                context.getOperatorStateStore()
                        .getListState(
                                new ListStateDescriptor<>(
                                        "history", RecordKind.EVENT.asType(RunEvent.class)));
        for (RunEvent event : state.get()) {
            add(event);
        }
    }

    @Override
    public void processElement(StreamRecord<RunEvent> record) {
        add(record.getValue());
    }

    private void add(RunEvent event) {
        if (event instanceof RunEvent.RoundDone done) {
            history.add(done.report());
        } else if (event instanceof RunEvent.Evaluated evaluated) {
            history.add(evaluated.report());
        } else if (event instanceof RunEvent.History past) {
            history.add(past);
        } else if (event instanceof RunEvent.FinalBlock block) {
            finalBlocks.put(block.block().shard().block(), block.block());
        } else if (event instanceof RunEvent.Counted counted) {
            workers = counted.workers();
        }
    }

    @Override
    public void finish() throws Exception {
        Slices slices = job.slices();
        // Inputs also end when a job is drained on its way; then the run is not over.
        if (finalBlocks.size() == slices.count()) {
            float[] parameters = new float[slices.dimension()];
            finalBlocks.forEach(
                    (block, model) ->
                            System.arraycopy(
                                    model.values(),
                                    0,
                                    parameters,
                                    slices.offset(block),
                                    slices.length(block)));
            RunEvent.History past = history.snapshot();
            sink.finished(
                    new RunResult(
                            job.training(),
                            past.rounds().stream().mapToLong(RunEvent.Stretch::rounds).sum(),
                            finalBlocks.values().iterator().next().settings().samples(),
                            past.stretch(),
                            past.rounds().stream().map(RunEvent.Stretch::report).toList(),
                            List.copyOf(past.evaluations()),
                            workers,
                            parameters));
            output.collect(new StreamRecord<>(parameters));
        }
        super.finish();
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        state.update(List.of(history.snapshot()));
    }
}
