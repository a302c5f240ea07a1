package dev.levee.operators.flink.internal.runtime;

import dev.levee.operators.flink.internal.codec.RecordKind;
import dev.levee.operators.flink.internal.records.RunEvent;
import dev.levee.operators.flink.internal.runtime.history.Delivery;
import dev.levee.operators.flink.internal.runtime.history.ServerRecord;
import dev.levee.operators.flink.internal.runtime.history.VectorStore;
import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.training.RoundLog;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.RunSink;
import dev.levee.operators.rounds.training.ServerResult;

import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Collects the history of each parameter server, which survives failures, and passes it to the sink
 * at the end of the run. The operator also emits the final parameters of each server, in order.
 */
final class RecorderOperator extends AbstractStreamOperator<float[]>
        implements OneInputStreamOperator<RunEvent, float[]> {
    private static final long serialVersionUID = 1L;

    private final LoopJob job;
    private final RunSink sink;
    private final boolean returns;
    private final List<ServerRecord> servers = new ArrayList<>();
    private transient ListState<RunEvent> state;
    private transient ListState<byte[]> logState;
    private transient RoundLog log;

    RecorderOperator(
            StreamOperatorParameters<float[]> parameters,
            LoopJob job,
            RunSink sink,
            boolean returns) {
        super(parameters);
        this.job = job;
        this.sink = sink;
        this.returns = returns;
        VectorStore store = job.vectors(parameters.getContainingTask().getEnvironment());
        for (int server = 0; server < job.servers(); server++) {
            servers.add(new ServerRecord(server, job.slices(), job.workerKeys().length, store));
        }
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
        if (job.training().audited()) {
            openLog(context);
        }
    }

    private void openLog(StateInitializationContext context) throws Exception {
        logState =
                context.getOperatorStateStore()
                        .getListState(
                                new ListStateDescriptor<>(
                                        "round-log",
                                        PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
        byte[] kept = null;
        for (byte[] each : logState.get()) {
            kept = each;
        }
        try {
            log = sink.log(job.training(), kept);
        } catch (RunFailedException e) {
            throw new SuppressRestartsException(e);
        }
        if (log != null) {
            log.resumed(servers.stream().mapToLong(ServerRecord::next).toArray());
        }
    }

    @Override
    public void processElement(StreamRecord<RunEvent> record) throws IOException {
        if (!(record.getValue() instanceof RunEvent.Traced traced)) {
            add(record.getValue());
        } else if (log != null) {
            log.closed(traced.server(), traced.report(), traced.trace());
        }
    }

    private void add(RunEvent event) {
        servers.get(event.server()).add(event);
    }

    @Override
    public void finish() throws Exception {
        // Inputs also end when a running job is drained; then the run is not over.
        if (servers.stream().allMatch(ServerRecord::complete)) {
            List<ServerResult> results = servers.stream().map(ServerRecord::result).toList();
            if (log != null) {
                log.ended(results);
            }
            deliver(new RunResult(job.training(), results));
            if (returns) {
                results.forEach(each -> output.collect(new StreamRecord<>(each.parameters())));
            }
        }
        super.finish();
    }

    private void deliver(RunResult result) throws InterruptedException {
        try {
            new Delivery(sink, time -> TimeUnit.MILLISECONDS.sleep(time.toMillis())).of(result);
        } catch (RunFailedException e) {
            throw new SuppressRestartsException(e);
        }
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        state.update(servers.stream().<RunEvent>map(ServerRecord::snapshot).toList());
        if (log != null) {
            log.force();
            logState.update(List.of(log.kept()));
        }
    }

    @Override
    public void close() throws Exception {
        if (log != null) {
            log.close();
        }
        servers.forEach(ServerRecord::close);
        super.close();
    }
}
