package dev.levee.operators.table;

import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.wire.Frame;
import dev.levee.operators.wire.FrameKind;
import dev.levee.operators.wire.KeyRing;
import dev.levee.operators.wire.VerifyingKey;

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

    /** Why a record is no row. */
    enum Refusal {
        /** It is no gradient in the wire format, or has been altered on its way. */
        MALFORMED,
        /** It belongs to another run. */
        FOREIGN_RUN,
        /** There is no key of the worker it names. */
        UNKNOWN_WORKER,
        /** The worker it names did not sign it. */
        FORGED
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
                    reason, context.getMetricGroup().addGroup("reason", name).counter("rejected"));
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
            return Refusal.MALFORMED;
        }
        if (run != null && frame.run() != run) {
            return Refusal.FOREIGN_RUN;
        }
        if (!keys.knows(frame.sender())) {
            return Refusal.UNKNOWN_WORKER;
        }
        if (!frame.intact()) {
            return Refusal.MALFORMED;
        }
        VerifyingKey key = keys.of(frame.sender());
        return key == null || frame.signedBy(key) ? null : Refusal.FORGED;
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
