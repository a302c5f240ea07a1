package dev.levee.operators.flink.window;

import org.apache.flink.streaming.api.windowing.windows.Window;
import org.apache.flink.util.OutputTag;

/**
 * Robust aggregation in the keyed windows of any job:
 *
 * <pre>{@code
 * gradients
 *         .keyBy(Gradient::block)
 *         .window(Rounds.by(Gradient::round))
 *         .trigger(Quorum.of(9, Duration.ofSeconds(5)))
 *         .process(Robust.aggregation("multi-krum", 3))
 * }</pre>
 *
 * <p>The quorum must be at least the rule's limit, here 2f + 3 = 9 rows. With a lower one, no round
 * ever has an aggregate.
 *
 * <p>Each key is aggregated separately. If vectors are divided into blocks and keyed by block, the
 * result may differ from the rule on whole vectors: a rule that uses distances (Krum, Multi-Krum,
 * Bulyan, …) may select different rows in each block, and blocks may close with different rows. If
 * that matters, key whole vectors, or train with {@link dev.levee.operators.flink.TrainingJob},
 * which decides once for all blocks. Coordinate-wise rules (average, median, trimmed mean, …) give
 * the same result in both cases, as long as the rows are the same.
 */
public final class Robust {
    /** Side output of rounds that closed with too few good rows. */
    public static final OutputTag<Unaggregated> UNAGGREGATED = new OutputTag<>("unaggregated") {};

    /** Side output of rows whose round had closed; they are emitted when the timeout has passed. */
    public static final OutputTag<LateRow> LATE = new OutputTag<>("late") {};

    private Robust() {}

    /**
     * Aggregates rows that have a worker, with seed 0.
     *
     * @param rule as {@link dev.levee.gar.Rules#parse} reads it
     * @param byzantine rows to tolerate in a window, f
     * @throws IllegalArgumentException if the rule is unknown or needs external scores, or f is
     *     negative
     */
    public static <T extends WorkerRow, K, W extends Window> RobustAggregation<T, K, W> aggregation(
            String rule, int byzantine) {
        return aggregation(rule, byzantine, 0, WorkerRow::worker, WorkerRow::values);
    }

    /**
     * Aggregates elements of any type.
     *
     * @param seed the seed of the rule's random choices, if it has any
     * @param worker the sender of an element
     * @param values the coordinates of an element
     */
    public static <T, K, W extends Window> RobustAggregation<T, K, W> aggregation(
            String rule,
            int byzantine,
            long seed,
            LongGetter<? super T> worker,
            Getter<? super T, float[]> values) {
        return new RobustAggregation<>(rule, byzantine, seed, worker, values);
    }
}
