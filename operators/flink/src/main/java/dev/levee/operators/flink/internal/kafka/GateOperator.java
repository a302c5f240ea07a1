package dev.levee.operators.flink.internal.kafka;

import dev.levee.connectors.kafka.job.KafkaEdge;
import dev.levee.operators.flink.internal.codec.RecordKind;
import dev.levee.operators.flink.internal.loop.RunClock;
import dev.levee.operators.flink.internal.records.VerifiedBlock;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.vector.Slices;

import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

import java.util.stream.IntStream;

/**
 * Runs the gate of the gradient topic, chained to its source. Each subtask restores the state of
 * all partitions, because partitions may be reassigned.
 */
public final class GateOperator extends AbstractStreamOperator<GradientBlock>
        implements OneInputStreamOperator<byte[], GradientBlock>, BoundedOneInput, Gate.Output {
    private static final long serialVersionUID = 1L;

    /** Reports of the gate to the coordinator. */
    public static final OutputTag<ShardReport> REPORTS =
            new OutputTag<>("refused", RecordKind.REPORT.asType(ShardReport.class));

    /** Refusals are counted for this long before they are reported. */
    private static final long FLUSH_MILLIS = 200;

    private final KafkaEdge edge;
    private final Training training;
    private final Slices slices;
    private transient ListState<VerifiedBlock> memory;
    private transient Gate gate;
    private transient Counter records;
    private transient Counter recordBytes;
    private transient Counter refused;
    private transient long checkNanos;

    /** Creates the gate of a run. */
    public GateOperator(
            StreamOperatorParameters<GradientBlock> parameters,
            KafkaEdge edge,
            Training training,
            Slices slices) {
        super(parameters);
        this.edge = edge;
        this.training = training;
        this.slices = slices;
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        memory =
                context.getOperatorStateStore()
                        .getUnionListState(
                                new ListStateDescriptor<>(
                                        "verified blocks",
                                        RecordKind.VERIFIED.asType(VerifiedBlock.class)));
    }

    @Override
    public void open() throws Exception {
        super.open();
        gate =
                new Gate(
                        edge.run(),
                        training.workers(),
                        training.topology().receivers(),
                        training.work()::mayWeigh,
                        training.admission().encoding(),
                        training.admission().masking().rates().isPresent() && edge.job() != null,
                        slices,
                        edge.workers(),
                        edge.signing(),
                        this,
                        System::nanoTime,
                        RunClock.WALL);
        for (VerifiedBlock seen : memory.get()) {
            gate.restore(seen);
        }
        records = getMetricGroup().counter("records");
        recordBytes = getMetricGroup().counter("recordBytes");
        refused = getMetricGroup().counter("refusedRecords");
        getMetricGroup().gauge("checkMilliseconds", (Gauge<Long>) () -> checkNanos / 1_000_000);
        scheduleFlush();
    }

    private void scheduleFlush() {
        long next = getProcessingTimeService().getCurrentProcessingTime() + FLUSH_MILLIS;
        getProcessingTimeService()
                .registerTimer(
                        next,
                        time -> {
                            gate.flush();
                            scheduleFlush();
                        });
    }

    @Override
    public void processElement(StreamRecord<byte[]> element) {
        byte[] record = element.getValue();
        records.inc();
        recordBytes.inc(record.length);
        long start = System.nanoTime();
        gate.accept(record);
        checkNanos += System.nanoTime() - start;
    }

    /** The servers that receive a message to a server: that one, or all. */
    private IntStream hearers(int server) {
        return training.topology().receivers() > 1
                ? IntStream.of(server)
                : IntStream.range(0, training.topology().servers());
    }

    /**
     * Emits a gradient for each receiving server, without copying its values. The gradient answers
     * the version that opens the round of that server.
     */
    @Override
    public void gradient(GradientBlock block) {
        Header header = block.header();
        long version = version(header.round());
        hearers(header.receiver())
                .mapToObj(
                        server ->
                                new GradientBlock(
                                        header.contribution(version, server),
                                        block.weight(),
                                        block.loss(),
                                        block.modelAt(),
                                        block.computedAt(),
                                        block.values()))
                .forEach(each -> output.collect(new StreamRecord<>(each)));
    }

    /**
     * The version of a round; for a round outside the run, the largest version, which shards drop.
     */
    private long version(long round) {
        return round > training.rounds()
                ? Long.MAX_VALUE
                : training.topology().version(round, training.rounds());
    }

    @Override
    public void report(ShardReport report) {
        if (report instanceof ShardReport.Tested tested) {
            if (training.work().scores() && tested.round() <= training.rounds()) {
                output.collect(REPORTS, new StreamRecord<>(tested));
            }
            return;
        }
        if (report instanceof ShardReport.Said) {
            output.collect(REPORTS, new StreamRecord<>(report));
            return;
        }
        if (report instanceof ShardReport.Refused some) {
            refused.inc(some.records());
        }
        IntStream servers =
                report instanceof ShardReport.Dropped dropped
                        ? hearers(dropped.shard().server())
                        : IntStream.range(0, training.topology().servers());
        servers.forEach(server -> output.collect(REPORTS, new StreamRecord<>(to(server, report))));
    }

    /** The report, addressed to a server's coordinator. */
    private ShardReport to(int server, ShardReport report) {
        if (report instanceof ShardReport.Dropped dropped) {
            return new ShardReport.Dropped(
                    version(dropped.round()),
                    new ShardId(server, dropped.shard().block()),
                    dropped.worker(),
                    dropped.reason());
        }
        ShardReport.Refused refused = (ShardReport.Refused) report;
        return new ShardReport.Refused(
                server, refused.worker(), refused.reason(), refused.records());
    }

    @Override
    public void endInput() {
        gate.flush();
    }

    /** Reports refused records before the barrier, because a restored source skips them. */
    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) {
        gate.flush();
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        TaskInfo task = getRuntimeContext().getTaskInfo();
        memory.update(
                gate.snapshot(task.getIndexOfThisSubtask(), task.getNumberOfParallelSubtasks()));
    }
}
