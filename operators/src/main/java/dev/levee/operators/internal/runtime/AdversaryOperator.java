package dev.levee.operators.internal.runtime;

import dev.levee.operators.internal.codec.RecordKind;
import dev.levee.operators.rounds.Adversary;
import dev.levee.operators.rounds.AdversaryState;
import dev.levee.operators.rounds.GradientBlock;

import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import java.util.Map;
import java.util.TreeMap;

/** The adversary on the gradient edge, keyed by block. */
final class AdversaryOperator extends AbstractStreamOperator<GradientBlock>
        implements OneInputStreamOperator<GradientBlock, GradientBlock> {
    private static final long serialVersionUID = 1L;

    private final LoopJob job;
    private final TreeMap<Integer, Adversary> adversaries = new TreeMap<>();
    private transient KeyedStates<AdversaryState> states;

    AdversaryOperator(StreamOperatorParameters<GradientBlock> parameters, LoopJob job) {
        super(parameters);
        this.job = job;
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
        for (int block = 0; block < job.slices().count(); block++) {
            int key = job.blockKeys()[block];
            if (states.owns(key)) {
                AdversaryState state = states.get(key);
                adversaries.put(
                        block,
                        new Adversary(
                                job.training(),
                                job.slices(),
                                block,
                                state == null ? Adversary.initial(job.training()) : state,
                                this::send));
            }
        }
    }

    private void send(GradientBlock gradient) {
        output.collect(new StreamRecord<>(gradient));
    }

    @Override
    public void processElement(StreamRecord<GradientBlock> record) {
        int block = Math.floorMod(record.getValue().header().block(), job.slices().count());
        adversaries.get(block).gradient(record.getValue());
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        for (Map.Entry<Integer, Adversary> adversary : adversaries.entrySet()) {
            states.put(job.blockKeys()[adversary.getKey()], adversary.getValue().snapshot());
        }
    }
}
