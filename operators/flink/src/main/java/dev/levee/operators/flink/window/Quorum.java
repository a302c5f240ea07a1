package dev.levee.operators.flink.window;

import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.windowing.triggers.Trigger;
import org.apache.flink.streaming.api.windowing.triggers.TriggerResult;
import org.apache.flink.streaming.api.windowing.windows.Window;

import java.time.Duration;

/**
 * Closes a window when q different workers have sent rows, or when the timeout after its first
 * element has passed, in processing time; then clears its state. {@link RobustAggregation} decides
 * whether the rows are enough; q must be at least the rule's limit. The timeout is required,
 * because it bounds the state of late rows and of rounds that never reach the quorum. A timer that
 * becomes due while the job is down fires after the restore.
 *
 * @param <T> type of the elements
 */
public final class Quorum<T> extends Trigger<T, Window> {
    private static final long serialVersionUID = 1L;
    private static final MapStateDescriptor<Long, Boolean> SENDERS =
            new MapStateDescriptor<>("senders", Types.LONG, Types.BOOLEAN);
    private static final ValueStateDescriptor<Integer> COUNT =
            new ValueStateDescriptor<>("count", Types.INT);
    private static final ValueStateDescriptor<Long> DEADLINE =
            new ValueStateDescriptor<>("deadline", Types.LONG);

    /** Does not overflow when added to the time. */
    private static final Duration LONGEST = Duration.ofMillis(Long.MAX_VALUE / 2);

    private final int quorum;
    private final long timeoutMillis;
    private final LongGetter<? super T> worker;

    private Quorum(int quorum, Duration timeout, LongGetter<? super T> worker) {
        if (quorum < 1) {
            throw new IllegalArgumentException("a quorum must be at least 1, got " + quorum);
        }
        if (timeout.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException(
                    "the timeout of a quorum must be at least a millisecond, got " + timeout);
        }
        this.quorum = quorum;
        this.timeoutMillis = (timeout.compareTo(LONGEST) < 0 ? timeout : LONGEST).toMillis();
        this.worker = worker;
    }

    /**
     * A quorum of rows that have a worker.
     *
     * @param quorum number of different workers that close a round, q
     * @param timeout longest time from the first element to the end of a round
     */
    public static <T extends WorkerRow> Quorum<T> of(int quorum, Duration timeout) {
        return new Quorum<>(quorum, timeout, WorkerRow::worker);
    }

    /** A quorum of elements of any type; {@code worker} extracts the worker of an element. */
    public static <T> Quorum<T> of(int quorum, Duration timeout, LongGetter<? super T> worker) {
        return new Quorum<>(quorum, timeout, worker);
    }

    @Override
    public TriggerResult onElement(T element, long timestamp, Window window, TriggerContext context)
            throws Exception {
        MapState<Long, Boolean> senders = context.getPartitionedState(SENDERS);
        long sender = worker.applyAsLong(element);
        if (senders.contains(sender)) {
            return TriggerResult.CONTINUE;
        }
        ValueState<Integer> count = context.getPartitionedState(COUNT);
        int seen = (count.value() == null ? 0 : count.value()) + 1;
        if (seen >= quorum) {
            clear(window, context);
            return TriggerResult.FIRE_AND_PURGE;
        }
        senders.put(sender, true);
        count.update(seen);
        if (seen == 1) {
            long deadline = context.getCurrentProcessingTime() + timeoutMillis;
            context.getPartitionedState(DEADLINE).update(deadline);
            context.registerProcessingTimeTimer(deadline);
        }
        return TriggerResult.CONTINUE;
    }

    @Override
    public TriggerResult onProcessingTime(long time, Window window, TriggerContext context)
            throws Exception {
        Long deadline = context.getPartitionedState(DEADLINE).value();
        if (deadline == null || deadline != time) {
            return TriggerResult.CONTINUE;
        }
        clear(window, context);
        return TriggerResult.FIRE_AND_PURGE;
    }

    @Override
    public TriggerResult onEventTime(long time, Window window, TriggerContext context) {
        return TriggerResult.CONTINUE;
    }

    @Override
    public void clear(Window window, TriggerContext context) throws Exception {
        ValueState<Long> deadline = context.getPartitionedState(DEADLINE);
        if (deadline.value() != null) {
            context.deleteProcessingTimeTimer(deadline.value());
        }
        deadline.clear();
        context.getPartitionedState(COUNT).clear();
        context.getPartitionedState(SENDERS).clear();
    }

    @Override
    public String toString() {
        return "Quorum(" + quorum + ", " + timeoutMillis + " ms)";
    }
}
