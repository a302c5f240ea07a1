package dev.levee.operators.table;

import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.wire.Frame;
import dev.levee.operators.wire.FrameKind;
import dev.levee.operators.wire.KeyRing;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.metrics.Counter;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * Rows from records of the gradient topic. A record that is none, or that nobody vouches for, is no
 * row: it is counted as {@code rejected} under its reason, and never fails the job.
 */
final class GradientDeserializer implements DeserializationSchema<RowData> {
    private static final long serialVersionUID = 1L;

    /** Why a record is no row, in the order of the checks. */
    enum Refusal {
        /** It is no frame of a gradient. */
        NO_GRADIENT,
        /** It belongs to another run. */
        OTHER_RUN,
        /** There is no key of its worker. */
        UNKNOWN_WORKER,
        /** Checksum or signature are wrong. */
        NOT_AUTHENTIC
    }

    private final GradientColumn[] columns;
    private final KeyRing keys;
    private final Long run;
    private final TypeInformation<RowData> type;
    private transient Map<Refusal, Counter> refused;

    GradientDeserializer(
            GradientColumn[] columns, KeyRing keys, Long run, TypeInformation<RowData> type) {
        this.columns = columns;
        this.keys = keys;
        this.run = run;
        this.type = type;
    }

    @Override
    public void open(InitializationContext context) {
        refused = new EnumMap<>(Refusal.class);
        for (Refusal reason : Refusal.values()) {
            String name = reason.name().toLowerCase(Locale.ROOT);
            refused.put(
                    reason,
                    context.getMetricGroup().addGroup("reason", name).counter("rejected"));
        }
    }

    /** The row of a record, null if it is none. */
    @Override
    public RowData deserialize(byte[] record) {
        Frame frame = Frame.read(record).orElse(null);
        Refusal reason = refusal(frame);
        if (reason != null) {
            refused.get(reason).inc();
            return null;
        }
        GradientBlock gradient = frame.gradient();
        GenericRowData row = new GenericRowData(columns.length);
        for (int i = 0; i < columns.length; i++) {
            row.setField(i, columns[i].value(frame, gradient));
        }
        return row;
    }

    private Refusal refusal(Frame frame) {
        if (frame == null || frame.kind() != FrameKind.GRADIENT) {
            return Refusal.NO_GRADIENT;
        }
        if (run != null && frame.run() != run) {
            return Refusal.OTHER_RUN;
        }
        if (!keys.knows(frame.sender())) {
            return Refusal.UNKNOWN_WORKER;
        }
        return frame.authentic(keys.of(frame.sender())) ? null : Refusal.NOT_AUTHENTIC;
    }

    @Override
    public boolean isEndOfStream(RowData row) {
        return false;
    }

    @Override
    public TypeInformation<RowData> getProducedType() {
        return type;
    }
}
