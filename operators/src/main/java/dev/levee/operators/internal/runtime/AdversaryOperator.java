package dev.levee.operators.internal.runtime;

import dev.levee.operators.AttackPlan;
import dev.levee.operators.internal.codec.RecordKind;
import dev.levee.operators.rounds.Adversary;
import dev.levee.operators.rounds.AdversaryState;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Slices;

import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import java.util.Map;
import java.util.TreeMap;

/** The adversary on the gradient edge, keyed by block. */
public final class AdversaryOperator extends AbstractStreamOperator<GradientBlock>
        implements OneInputStreamOperator<GradientBlock, GradientBlock> {
    private static final long serialVersionUID = 1L;

    private final AttackPlan plan;
    private final Slices slices;
    private final int[] keys;
    private final TreeMap<Integer, Adversary> adversaries = new TreeMap<>();
    private transient KeyedStates<AdversaryState> states;

    /**
     * An adversary over all blocks of a vector.
     *
     * @param keys key of each block
     */
    public AdversaryOperator(
            StreamOperatorParameters<GradientBlock> parameters,
            AttackPlan plan,
            Slices slices,
            int[] keys) {
        super(parameters);
        this.plan = plan;
        this.slices = slices;
        this.keys = keys;
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
        for (int block = 0; block < slices.count(); block++) {
            int key = keys[block];
            if (states.owns(key)) {
                AdversaryState state = states.get(key);
                adversaries.put(
                        block,
                        new Adversary(
                                plan,
                                slices,
                                block,
                                state == null ? Adversary.initial(plan) : state,
                                this::send));
            }
        }
    }

    private void send(GradientBlock gradient) {
        output.collect(new StreamRecord<>(gradient));
    }

    @Override
    public void processElement(StreamRecord<GradientBlock> record) {
        int block = Math.floorMod(record.getValue().header().block(), slices.count());
        adversaries.get(block).gradient(record.getValue());
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        for (Map.Entry<Integer, Adversary> adversary : adversaries.entrySet()) {
            states.put(keys[adversary.getKey()], adversary.getValue().snapshot());
        }
    }
}
