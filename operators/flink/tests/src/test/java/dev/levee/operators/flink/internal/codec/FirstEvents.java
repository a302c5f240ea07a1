package dev.levee.operators.flink.internal.codec;

import dev.levee.operators.flink.internal.records.RunEvent;
import dev.levee.operators.rounds.codec.RecordFormat;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/** Writes events as a Levee did whose events were in version 1 of their format. */
public final class FirstEvents extends RecordSerializer<RunEvent> {
    private static final long serialVersionUID = 1L;

    private FirstEvents() {
        super(RecordKind.EVENT);
    }

    /** Such a serializer. */
    public static TypeSerializer<RunEvent> serializer() {
        return new FirstEvents();
    }

    @Override
    public void serialize(RunEvent event, DataOutputView target) throws IOException {
        new RecordFormat<>("EVENT", 1, EventCodec.of(1)).writeState(event, target);
    }

    @Override
    public TypeSerializerSnapshot<RunEvent> snapshotConfiguration() {
        return new RecordSerializerSnapshot<>(RecordKind.EVENT, 1);
    }
}
