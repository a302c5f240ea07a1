package dev.levee.operators.flink.window;

import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.streaming.api.windowing.windows.Window;

import java.io.IOException;
import java.util.Objects;

/** One round of a key. It has no end time; only its trigger ends it. */
public final class RoundWindow extends Window {
    private final long round;

    /** The window of round {@code round}. */
    public RoundWindow(long round) {
        this.round = round;
    }

    /** Number of the round. */
    public long round() {
        return round;
    }

    /** Returns the largest time, because a round never ends by time. */
    @Override
    public long maxTimestamp() {
        return Long.MAX_VALUE;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RoundWindow window && window.round == round;
    }

    @Override
    public int hashCode() {
        return Objects.hash(round);
    }

    @Override
    public String toString() {
        return "round " + round;
    }

    /** Writes a window as its number, eight bytes. */
    public static final class Serializer extends TypeSerializerSingleton<RoundWindow> {
        /** The only instance. */
        public static final Serializer INSTANCE = new Serializer();

        private static final long serialVersionUID = 1L;

        @Override
        public boolean isImmutableType() {
            return true;
        }

        @Override
        public RoundWindow createInstance() {
            return new RoundWindow(0);
        }

        @Override
        public RoundWindow copy(RoundWindow from) {
            return from;
        }

        @Override
        public RoundWindow copy(RoundWindow from, RoundWindow reuse) {
            return from;
        }

        @Override
        public int getLength() {
            return Long.BYTES;
        }

        @Override
        public void serialize(RoundWindow window, DataOutputView target) throws IOException {
            target.writeLong(window.round);
        }

        @Override
        public RoundWindow deserialize(DataInputView source) throws IOException {
            return new RoundWindow(source.readLong());
        }

        @Override
        public RoundWindow deserialize(RoundWindow reuse, DataInputView source) throws IOException {
            return deserialize(source);
        }

        @Override
        public void copy(DataInputView source, DataOutputView target) throws IOException {
            target.writeLong(source.readLong());
        }

        @Override
        public TypeSerializerSnapshot<RoundWindow> snapshotConfiguration() {
            return new Snapshot();
        }

        /** The format of windows, for savepoints. */
        public static final class Snapshot extends SimpleTypeSerializerSnapshot<RoundWindow> {
            public Snapshot() {
                super(() -> INSTANCE);
            }
        }
    }
}
