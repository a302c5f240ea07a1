package dev.levee.operators.flink.internal.runtime;

import dev.levee.connectors.kafka.job.VersionPart;
import dev.levee.connectors.kafka.job.VersionState;
import dev.levee.learners.FlatVector;
import dev.levee.operators.flink.internal.codec.RecordKind;
import dev.levee.operators.flink.internal.kafka.PublishedVersion;
import dev.levee.operators.flink.internal.loop.LocalExchange;
import dev.levee.operators.flink.internal.loop.LoopTail;
import dev.levee.operators.flink.internal.loop.RunClock;
import dev.levee.operators.flink.internal.runtime.operator.KeyedStates;
import dev.levee.operators.flink.internal.runtime.replica.Starting;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.StandIn;
import dev.levee.operators.rounds.shard.ParameterBlock;
import dev.levee.operators.rounds.shard.ReplicaUpdate;
import dev.levee.operators.rounds.shard.Shard;
import dev.levee.operators.rounds.shard.ShardState;

import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

import java.util.BitSet;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Runs the parameter shards of one subtask. The first input receives gradients, the second
 * instructions.
 */
final class ShardOperator extends AbstractStreamOperator<ShardReport>
        implements TwoInputStreamOperator<GradientBlock, LoopMessage, ShardReport>, Shard.Output {
    private static final long serialVersionUID = 1L;

    static final OutputTag<GradientBlock> LATE =
            new OutputTag<>("late gradients", RecordKind.GRADIENT.asType(GradientBlock.class));

    static final OutputTag<VersionPart> VERSIONS =
            new OutputTag<>("versions", RecordKind.PART.asType(VersionPart.class));

    /** Rows of the open round, for the oracle. */
    static final OutputTag<GradientBlock> ACCEPTED =
            new OutputTag<>("accepted rows", RecordKind.GRADIENT.asType(GradientBlock.class));

    /** Updates for the replica. */
    static final OutputTag<ReplicaUpdate> REPLICATED =
            new OutputTag<>("replicated", RecordKind.REPLICA_UPDATE.asType(ReplicaUpdate.class));

    private final LoopJob job;
    private final TreeMap<Integer, Shard> shards = new TreeMap<>();
    private final TreeMap<Integer, Starting<ShardState, StandIn, Instruction>> starting =
            new TreeMap<>();
    private transient int keeper;
    private transient KeyedStates<ShardState> states;
    private transient LoopTail tail;
    private transient LocalExchange.Reader reader;
    private transient Counter gradientBytes;
    private transient Counter modelBytes;

    ShardOperator(StreamOperatorParameters<ShardReport> parameters, LoopJob job) {
        super(parameters);
        this.job = job;
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        states = new KeyedStates<>(this, "shard", RecordKind.SHARD.asType(ShardState.class));
    }

    @Override
    public void open() throws Exception {
        super.open();
        gradientBytes = getMetricGroup().counter("gradientBytes");
        modelBytes = getMetricGroup().counter("modelBytes");
        tail = new LoopTail(job.run(), getRuntimeContext(), getProcessingTimeService());
        reader = LocalExchange.reader(job.run(), LoopGraph.SHARDS, getRuntimeContext());
        BitSet own = new BitSet();
        for (int shard = 0; shard < job.shards(); shard++) {
            if (states.owns(job.shardKeys()[shard])) {
                own.set(shard);
            }
        }
        Optional<PublishedVersion> published =
                own.isEmpty() ? Optional.empty() : job.published(own, new BitSet());
        long newest = published.map(each -> job.version(each.version())).orElse(-1L);
        FlatVector initial = null;
        for (int index : own.stream().toArray()) {
            ShardId id = ShardId.of(index, job.slices().count());
            ShardState state = states.get(job.shardKeys()[index]);
            if (state == null) {
                if (initial == null) {
                    initial = job.training().model().initial(job.training().seed());
                }
                state =
                        Shard.initial(
                                job.training(),
                                id.server(),
                                initial.range(
                                        job.slices().offset(id.block()),
                                        job.slices().length(id.block())));
            }
            boolean behind = newest > state.version();
            if (behind) {
                state = adopt(published.orElseThrow(), newest, id);
            }
            if (job.training().topology().standby() != null) {
                starting.put(index, Starting.from(state));
            } else {
                begin(index, state, behind);
            }
            reader.read(index);
        }
        clear();
        shards.values().forEach(Shard::offer);
    }

    private Shard begin(int index, ShardState state, boolean adopted) {
        Shard shard =
                new Shard(
                        job.training(),
                        job.run(),
                        job.slices(),
                        ShardId.of(index, job.slices().count()),
                        state,
                        this,
                        RunClock.WALL);
        if (adopted) {
            shard.adopted();
        }
        shards.put(index, shard);
        return shard;
    }

    /** Starts a shard, from the replica's state if that is newer. */
    private void begin(int index, Starting<ShardState, StandIn, Instruction> start) {
        keeper = start.places().keeper(job.shardSubtasks(subtasks()));
        Optional<StandIn> newer = start.places().newerThan(start.state().version());
        ShardState state = newer.map(this::standIn).orElse(start.state());
        Shard shard = begin(index, state, newer.isPresent());
        shard.offer();
        start.waiting().forEach(shard::instruction);
    }

    private ShardState standIn(StandIn from) {
        int server = from.shard().server();
        long version = from.place().version();
        return ShardState.opening(
                job.training(),
                server,
                version,
                job.training().settings(server, version),
                new ParameterBlock(from.values(), from.moments(), null));
    }

    private int subtasks() {
        return getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
    }

    private ShardState adopt(PublishedVersion published, long version, ShardId id) {
        int shard = job.shard(id);
        VersionState beside = published.state(shard);
        return ShardState.opening(
                job.training(),
                id.server(),
                version,
                job.training().settings(id.server(), version, published.memory(0).plan()),
                new ParameterBlock(published.values(shard), beside.moments(), beside.previous()));
    }

    @Override
    public void processElement1(StreamRecord<GradientBlock> record) {
        GradientBlock gradient = record.getValue();
        gradientBytes.inc((long) gradient.coordinates() * Float.BYTES);
        shards.get(job.shard(gradient.shard())).gradient(gradient);
    }

    @Override
    public void processElement2(StreamRecord<LoopMessage> record) {
        int index = job.shard(record.getValue().shard());
        Starting<ShardState, StandIn, Instruction> start = starting.get(index);
        if (record.getValue() instanceof StandIn standIn) {
            if (start.places().add(standIn.place(), standIn)) {
                starting.remove(index);
                begin(index, start);
            }
        } else if (start != null) {
            start.waiting().add((Instruction) record.getValue());
        } else {
            shards.get(index).instruction((Instruction) record.getValue());
        }
    }

    @Override
    public void replicate(ReplicaUpdate update) {
        output.collect(REPLICATED, new StreamRecord<>(update.keptBy(keeper)));
    }

    @Override
    public float[] whole(ShardId shard, long version) {
        return reader.models().whole(shard.server(), version, job.slices().dimension());
    }

    @Override
    public void model(ModelBlock block) {
        modelBytes.inc((long) block.length() * Float.BYTES);
        tail.offer(ModelBlock.class, block);
        if (job.training().moment(block.round()).ofWorkers()) {
            job.edge()
                    .publish(
                            () -> part(block),
                            part -> output.collect(VERSIONS, new StreamRecord<>(part)));
        }
    }

    private VersionPart part(ModelBlock block) {
        ParameterBlock beside = shards.get(job.shard(block.shard())).block();
        return new VersionPart.Block(block, beside.moments(), beside.previous());
    }

    @Override
    public void report(ShardReport report) {
        output.collect(new StreamRecord<>(report));
    }

    @Override
    public void late(GradientBlock gradient) {
        output.collect(LATE, new StreamRecord<>(gradient));
    }

    @Override
    public void accepted(GradientBlock row) {
        output.collect(ACCEPTED, new StreamRecord<>(row));
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        for (Map.Entry<Integer, Shard> shard : shards.entrySet()) {
            states.put(job.shardKeys()[shard.getKey()], shard.getValue().snapshot());
        }
    }

    @Override
    public void notifyCheckpointComplete(long checkpoint) throws Exception {
        super.notifyCheckpointComplete(checkpoint);
        clear();
    }

    @Override
    public void notifyCheckpointAborted(long checkpoint) throws Exception {
        super.notifyCheckpointAborted(checkpoint);
        clear();
    }

    private void clear() throws Exception {
        for (int shard : shards.keySet()) {
            states.clear(job.shardKeys()[shard]);
        }
    }

    @Override
    public void close() throws Exception {
        if (tail != null) {
            tail.close();
        }
        if (reader != null) {
            reader.close();
        }
        super.close();
    }
}
