package dev.levee.operators.flink.table;

import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.FrameKind;
import dev.levee.connectors.kafka.wire.KeyRing;
import dev.levee.connectors.kafka.wire.VerifyingKey;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.fault.Rejection;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.metrics.Counter;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Reads rows from records of the gradient topic. A malformed, unauthentic or masked record gives no
 * row and never fails the job; it is counted as {@code rejected} under its reason.
 */
final class GradientDeserializer implements DeserializationSchema<RowData> {
    private static final long serialVersionUID = 1L;

    /** The reasons for which a record gives no row. */
    static final List<Rejection> REASONS =
            List.of(
                    Rejection.MALFORMED,
                    Rejection.FOREIGN_RUN,
                    Rejection.UNKNOWN_WORKER,
                    Rejection.FORGED,
                    Rejection.WRONG_SIZE);

    private final GradientColumn[] columns;
    private final KeyRing keys;
    private final Long run;
    private final TypeInformation<RowData> type;
    private transient Map<Rejection, Counter> refused;

    GradientDeserializer(
            GradientColumn[] columns, KeyRing keys, Long run, TypeInformation<RowData> type) {
        this.columns = columns;
        this.keys = keys;
        this.run = run;
        this.type = type;
    }

    @Override
    public void open(InitializationContext context) {
        refused = new EnumMap<>(Rejection.class);
        for (Rejection reason : REASONS) {
            String name = reason.name().toLowerCase(Locale.ROOT);
            refused.put(
                    reason, context.getMetricGroup().addGroup("reason", name).counter("rejected"));
        }
    }

    /** The row of a record, null if the record gives none. */
    @Override
    public RowData deserialize(byte[] record) {
        Frame frame = Frame.read(record, FrameKind.GRADIENT).orElse(null);
        Rejection reason = refusal(frame);
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

    private Rejection refusal(Frame frame) {
        if (frame == null) {
            return Rejection.MALFORMED;
        }
        if (run != null && frame.run() != run) {
            return Rejection.FOREIGN_RUN;
        }
        if (!keys.knows(frame.sender())) {
            return Rejection.UNKNOWN_WORKER;
        }
        if (!frame.intact()) {
            return Rejection.MALFORMED;
        }
        VerifyingKey key = keys.of(frame.sender());
        if (key != null && !frame.signedBy(key)) {
            return Rejection.FORGED;
        }
        // Under the masks of a secure sum, a gradient is random bits.
        return frame.encoding() == Header.FLOAT32 ? null : Rejection.WRONG_SIZE;
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
