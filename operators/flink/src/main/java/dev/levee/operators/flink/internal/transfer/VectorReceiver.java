package dev.levee.operators.flink.internal.transfer;

import dev.levee.operators.rounds.StageMessage;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFlatMapFunction;
import org.apache.flink.util.Collector;

import java.util.concurrent.Future;

/** Assembles vectors and copies them into tensors, as a stage does with its inputs. */
final class VectorReceiver extends RichFlatMapFunction<StageMessage, Void> {
    private static final long serialVersionUID = 1L;

    private final String meter;
    private final int most;
    private transient TransferMeter shared;
    private transient TensorMemory tensors;
    private transient Future<?> before;
    private transient float[] values;
    private transient int missing;

    VectorReceiver(String meter, int most) {
        this.meter = meter;
        this.most = most;
    }

    @Override
    public void open(OpenContext context) {
        shared = TransferMeter.of(meter);
        tensors = new TensorMemory(most);
    }

    @Override
    public void flatMap(StageMessage message, Collector<Void> out) throws Exception {
        StageMessage.Floats part = (StageMessage.Floats) message;
        if (part.offset() == 0) {
            values = new float[part.length()];
            missing = part.length();
        }
        System.arraycopy(part.array(), part.from(), values, part.offset(), part.count());
        missing -= part.count();
        if (missing == 0) {
            if (before != null) {
                before.get();
            }
            before = tensors.write(values);
            shared.received(
                    getRuntimeContext().getTaskInfo().getIndexOfThisSubtask(), values.length);
        }
    }

    @Override
    public void close() {
        if (tensors != null) {
            tensors.close();
        }
    }
}
