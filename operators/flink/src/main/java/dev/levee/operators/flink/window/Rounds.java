package dev.levee.operators.flink.window;

import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.triggers.CountTrigger;
import org.apache.flink.streaming.api.windowing.triggers.Trigger;

import java.util.Collection;
import java.util.List;

/**
 * Assigns each element to the window of its round. Watermarks and allowed lateness have no effect
 * on rounds; a {@link Quorum} ends them.
 *
 * @param <T> type of the elements
 */
public final class Rounds<T> extends WindowAssigner<T, RoundWindow> {
    private static final long serialVersionUID = 1L;

    private final LongGetter<? super T> round;

    private Rounds(LongGetter<? super T> round) {
        this.round = round;
    }

    /** Assigns windows by the number that {@code round} extracts from an element. */
    public static <T> Rounds<T> by(LongGetter<? super T> round) {
        return new Rounds<>(round);
    }

    @Override
    public Collection<RoundWindow> assignWindows(
            T element, long timestamp, WindowAssignerContext context) {
        return List.of(new RoundWindow(round.applyAsLong(element)));
    }

    /** Returns a trigger that never fires. */
    @Override
    @SuppressWarnings("unchecked")
    public Trigger<T, RoundWindow> getDefaultTrigger() {
        return (Trigger<T, RoundWindow>) (Trigger<?, ?>) CountTrigger.of(Long.MAX_VALUE);
    }

    @Override
    public TypeSerializer<RoundWindow> getWindowSerializer(ExecutionConfig config) {
        return RoundWindow.Serializer.INSTANCE;
    }

    @Override
    public boolean isEventTime() {
        return false;
    }

    @Override
    public String toString() {
        return "Rounds";
    }
}
