package dev.levee.operators.flink.internal.runtime;

import dev.levee.operators.flink.internal.codec.RecordKind;
import dev.levee.operators.flink.internal.loop.LocalExchange;
import dev.levee.operators.flink.internal.runtime.operator.KeyedStates;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.adversary.Adversary;
import dev.levee.operators.rounds.adversary.AdversaryState;
import dev.levee.operators.rounds.adversary.AttackParts;
import dev.levee.operators.rounds.training.AttackPlan;

import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import java.io.Serializable;
import java.util.Map;
import java.util.TreeMap;

/** Runs the adversary on the gradient edge, keyed by part of the vector. */
public final class AdversaryOperator extends AbstractStreamOperator<GradientBlock>
        implements OneInputStreamOperator<GradientBlock, GradientBlock> {
    private static final long serialVersionUID = 1L;

    /** Tells which rounds are known to be open. */
    @FunctionalInterface
    public interface Opened extends Serializable {
        /** The newest round that is known to be open, −1 if none is. */
        long round() throws Exception;
    }

    private final String uid;
    private final AttackPlan plan;
    private final AttackParts parts;
    private final int servers;
    private final int[] keys;
    private final Opened opened;
    private final TreeMap<Integer, Adversary> adversaries = new TreeMap<>();
    private transient KeyedStates<AdversaryState> states;
    private transient LocalExchange.Reader reader;

    /**
     * Creates an adversary over all parts of a vector.
     *
     * @param uid its name within the run, which senders use
     * @param servers number of servers with a vector
     * @param keys key of each part, server by server
     * @param opened tells at each start which round is open, so that earlier rounds are discarded
     */
    public AdversaryOperator(
            StreamOperatorParameters<GradientBlock> parameters,
            String uid,
            AttackPlan plan,
            AttackParts parts,
            int servers,
            int[] keys,
            Opened opened) {
        super(parameters);
        this.uid = uid;
        this.plan = plan;
        this.parts = parts;
        this.servers = servers;
        this.keys = keys;
        this.opened = opened;
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        states =
                new KeyedStates<>(
                        this, "adversary", RecordKind.ADVERSARY.asType(AdversaryState.class));
    }

    @Override
    public void open() throws Exception {
        super.open();
        if (plan.horizon().run() != null) {
            reader = LocalExchange.reader(plan.horizon().run(), uid, getRuntimeContext());
        }
        long round = opened.round();
        for (int index = 0; index < keys.length; index++) {
            int key = keys[index];
            if (states.owns(key)) {
                AdversaryState state = states.get(key);
                adversaries.put(
                        index,
                        new Adversary(
                                plan.heardBy(index / parts.count()),
                                parts,
                                index % parts.count(),
                                Adversary.initial(plan, parts, round, state),
                                this::send));
                read(index / parts.count(), index % parts.count());
            }
        }
    }

    private void read(int server, int part) {
        for (int block = 0; block < parts.blocks() && reader != null; block++) {
            ShardId shard = new ShardId(server, parts.first(part) + block);
            reader.read(shard.index(parts.slices().count()));
        }
    }

    private void send(GradientBlock gradient) {
        output.collect(new StreamRecord<>(gradient));
    }

    @Override
    public void processElement(StreamRecord<GradientBlock> record) {
        ShardId shard = record.getValue().shard();
        int server = Math.floorMod(shard.server(), servers);
        adversaries
                .get(server * parts.count() + parts.of(shard.block()))
                .gradient(record.getValue());
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        for (Map.Entry<Integer, Adversary> adversary : adversaries.entrySet()) {
            states.put(keys[adversary.getKey()], adversary.getValue().snapshot());
        }
    }

    @Override
    public void close() throws Exception {
        if (reader != null) {
            reader.close();
        }
        super.close();
    }
}
