package dev.levee.operators.flink.window;

import dev.levee.gar.Aggregator;
import dev.levee.gar.Rule;
import dev.levee.gar.RuleState;
import dev.levee.gar.Rules;
import dev.levee.operators.flink.internal.records.ScreenedRows;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.KeyedStateStore;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.windowing.windows.Window;
import org.apache.flink.util.Collector;

import java.io.IOException;
import java.util.List;
import java.util.TreeMap;

/**
 * Aggregates the rows of a window.
 *
 * <ul>
 *   <li>Rows are ordered by worker; of several rows of a worker, the first counts.
 *   <li>A row that is not finite or has another length than most rows (or than the last aggregate,
 *       if the rule uses that) is a proven fault. With k of them, the rule runs on the other n − k
 *       rows with f − k. With more than f of them, or too few rows for the rule, the round goes to
 *       {@link Robust#UNAGGREGATED}.
 *   <li>Rows of a closed round go to {@link Robust#LATE}. A key remembers its newest 128 closed
 *       rounds, and treats older rounds as closed.
 *   <li>A round without an aggregate stays open if its rows are of at most f workers. All of them
 *       may be Byzantine, and must not close rounds before the others have sent their rows. The
 *       rows so far are dropped; the round begins again with its next row.
 *   <li>The state of a stateful rule is keyed state; rounds that close out of order are aggregated
 *       in the order in which they close.
 * </ul>
 *
 * <p>Counters: {@code lateRows}, {@code duplicateRows}, {@code faultyRows}, {@code
 * unaggregatedRounds}.
 *
 * @param <T> type of the elements
 * @param <K> type of the key
 * @param <W> type of the window; only windows that are rounds have late rows
 */
public final class RobustAggregation<T, K, W extends Window>
        extends ProcessWindowFunction<T, Aggregate, K, W>
        implements ResultTypeQueryable<Aggregate> {
    private static final long serialVersionUID = 1L;
    private static final ValueStateDescriptor<long[]> CLOSED =
            new ValueStateDescriptor<>(
                    "closed-rounds", PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO);
    private static final ValueStateDescriptor<float[]> PREVIOUS =
            new ValueStateDescriptor<>(
                    "previous", PrimitiveArrayTypeInfo.FLOAT_PRIMITIVE_ARRAY_TYPE_INFO);
    private static final ValueStateDescriptor<double[]> CARRIED =
            new ValueStateDescriptor<>(
                    "rule-state", PrimitiveArrayTypeInfo.DOUBLE_PRIMITIVE_ARRAY_TYPE_INFO);
    private static final ValueStateDescriptor<Long> COUNT =
            new ValueStateDescriptor<>("windows", Types.LONG);

    private final Rule rule;
    private final int byzantine;
    private final long seed;
    private final LongGetter<? super T> worker;
    private final Getter<? super T, float[]> values;
    private transient Counter late;
    private transient Counter duplicates;
    private transient Counter faulty;
    private transient Counter unaggregated;

    RobustAggregation(
            String rule,
            int byzantine,
            long seed,
            LongGetter<? super T> worker,
            Getter<? super T, float[]> values) {
        this.rule = Rules.parse(rule).withoutScores("which a window does not have");
        if (byzantine < 0) {
            throw new IllegalArgumentException("f must be at least 0, got " + byzantine);
        }
        this.byzantine = byzantine;
        this.seed = seed;
        this.worker = worker;
        this.values = values;
    }

    @Override
    public void open(OpenContext context) {
        MetricGroup metrics = getRuntimeContext().getMetricGroup();
        late = metrics.counter("lateRows");
        duplicates = metrics.counter("duplicateRows");
        faulty = metrics.counter("faultyRows");
        unaggregated = metrics.counter("unaggregatedRounds");
    }

    @Override
    public void process(K key, Context context, Iterable<T> elements, Collector<Aggregate> out)
            throws Exception {
        String name = String.valueOf(key);
        KeyedStateStore kept = context.globalState();
        if (!(context.window() instanceof RoundWindow window)) {
            decide(name, context.window().maxTimestamp(), context, elements, out);
            return;
        }
        long round = window.round();
        ValueState<long[]> closed = kept.getState(CLOSED);
        if (ClosedRounds.contains(closed.value(), round)) {
            sendLate(name, round, context, elements);
        } else if (decide(name, round, context, elements, out)) {
            closed.update(ClosedRounds.with(closed.value(), round));
        }
    }

    private void sendLate(String key, long round, Context context, Iterable<T> elements) {
        for (T element : elements) {
            late.inc();
            context.output(
                    Robust.LATE,
                    new LateRow(key, round, worker.applyAsLong(element), values.apply(element)));
        }
    }

    /**
     * Aggregates the rows, or reports why that is impossible.
     *
     * @return true unless the rows may all be Byzantine and have no aggregate
     */
    private boolean decide(
            String key,
            long number,
            Context context,
            Iterable<T> elements,
            Collector<Aggregate> out)
            throws IOException {
        KeyedStateStore kept = context.globalState();
        TreeMap<Long, float[]> byWorker = new TreeMap<>();
        for (T element : elements) {
            if (byWorker.putIfAbsent(worker.applyAsLong(element), values.apply(element)) != null) {
                duplicates.inc();
            }
        }
        float[] previous = rule.needsPrevious() ? kept.getState(PREVIOUS).value() : null;
        ScreenedRows rows =
                ScreenedRows.of(byWorker.values(), previous == null ? -1 : previous.length);
        faulty.inc(rows.faults());
        List<String> senders = rows.senders(byWorker.keySet());
        String problem = rows.problem(rule, byzantine, senders);
        if (problem != null) {
            unaggregated.inc();
            context.output(
                    Robust.UNAGGREGATED,
                    new Unaggregated(key, number, rows.rows().length, rows.faults(), problem));
            return byWorker.size() > byzantine;
        }
        int f = rows.remaining(byzantine);
        float[] result = aggregate(rows.rows(), senders, f, previous, context);
        out.collect(new Aggregate(key, number, result, rows.rows().length, f, rows.faults()));
        return true;
    }

    private float[] aggregate(
            float[][] rows, List<String> senders, int f, float[] previous, Context context)
            throws IOException {
        KeyedStateStore kept = context.globalState();
        ValueState<double[]> carried = kept.getState(CARRIED);
        RuleState state = carried.value() == null ? RuleState.NONE : new RuleState(carried.value());
        Aggregator aggregator = new Aggregator(rule, f, seed).resume(draw(context), state);
        if (previous != null) {
            aggregator.from(previous);
        }
        float[] result = aggregator.aggregate(rows, round -> round.withIds(senders));
        double[] after = aggregator.last().state().values();
        if (after.length > 0) {
            carried.update(after);
        }
        if (rule.needsPrevious()) {
            kept.getState(PREVIOUS).update(result.clone());
        }
        return result;
    }

    /**
     * The number for the rule's random choices: the round, or the number of earlier windows of the
     * key.
     */
    private long draw(Context context) throws IOException {
        if (context.window() instanceof RoundWindow window) {
            return window.round();
        }
        ValueState<Long> count = context.globalState().getState(COUNT);
        long number = count.value() == null ? 0 : count.value();
        count.update(number + 1);
        return number;
    }

    @Override
    public TypeInformation<Aggregate> getProducedType() {
        return TypeInformation.of(Aggregate.class);
    }
}
