package dev.levee.operators.flink.internal.transfer;

import dev.levee.operators.rounds.StageMessage;
import dev.levee.operators.rounds.StageMessage.Content;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFlatMapFunction;
import org.apache.flink.util.Collector;

import java.util.concurrent.Future;

/** Sends tensors to the other subtask until the job ends, as a stage sends its outputs. */
final class VectorSender extends RichFlatMapFunction<Long, StageMessage> {
    private static final long serialVersionUID = 1L;

    private final String meter;
    private final int most;
    private transient TransferMeter shared;
    private transient TensorMemory tensors;
    private transient Future<float[]> ready;
    private transient int other;

    VectorSender(String meter, int most) {
        this.meter = meter;
        this.most = most;
    }

    @Override
    public void open(OpenContext context) {
        shared = TransferMeter.of(meter);
        tensors = new TensorMemory(most);
        other = 1 - getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    }

    @Override
    public void flatMap(Long number, Collector<StageMessage> out) throws Exception {
        // One tensor is copied while the previous one is sent, as in a stage.
        Future<float[]> sent = ready;
        ready = tensors.read(shared.length());
        if (sent != null) {
            float[] values = sent.get();
            shared.beforeSending(other);
            StageMessage.Floats.send(
                    other, number, 0, Content.INPUTS, 0, values, 0, values.length, out::collect);
        }
    }

    @Override
    public void close() {
        if (tensors != null) {
            tensors.close();
        }
    }
}
