package dev.levee.operators.flink.table;

import dev.levee.gar.Aggregator;
import dev.levee.gar.Rule;
import dev.levee.gar.Rules;
import dev.levee.operators.flink.internal.records.ScreenedRows;

import org.apache.flink.metrics.Counter;
import org.apache.flink.table.annotation.DataTypeHint;
import org.apache.flink.table.functions.AggregateFunction;
import org.apache.flink.table.functions.FunctionContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Base of SQL's aggregate functions.
 *
 * <p>With a worker column, rows are ordered by worker. Equal rows of a worker count once, and
 * different rows of one worker prove it faulty. Without a worker column, rows are ordered by their
 * coordinates, and all count; so do rows whose worker is NULL, before those of workers. Rows that
 * are NULL, not finite or of another length than most are proven faults: with k of them, the rule
 * runs on the others with f − k. Each group is a first round, without state from other groups. An
 * invalid rule or f fails the query with one sentence.
 *
 * <p>The result is NULL for a group without rows, with too few for the rule, or with more than f
 * proven faults. Such groups are counted as {@code unaggregatedGroups}. A streaming query
 * aggregates a growing group after each row, so it must not fail at the first.
 */
public abstract class RowsFunction extends AggregateFunction<float[], Rows> {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(RowsFunction.class);

    private transient Counter unaggregated;

    @Override
    public void open(FunctionContext context) {
        unaggregated = context.getMetricGroup().counter("unaggregatedGroups");
    }

    @Override
    public Rows createAccumulator() {
        return new Rows();
    }

    @Override
    @DataTypeHint("ARRAY<FLOAT NOT NULL>")
    public float[] getValue(Rows rows) {
        try {
            return value(rows);
        } catch (IllegalArgumentException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("the state of an aggregate could not be read", e);
        }
    }

    /** Adds the rows of other states. */
    public void merge(Rows rows, Iterable<Rows> others) throws Exception {
        for (Rows other : others) {
            if (other.byzantine >= 0) {
                settle(rows, other.byzantine, other.rule);
            }
            for (Map.Entry<String, Integer> entry : other.counts.entries()) {
                count(rows, entry.getKey(), entry.getValue());
            }
        }
    }

    /** Removes all rows. */
    public void resetAccumulator(Rows rows) {
        rows.byzantine = -1;
        rows.rule = "";
        rows.counts.clear();
    }

    final void change(Rows rows, Float[] gradient, Long worker, Integer f, String rule, int by)
            throws Exception {
        if (f == null || f < 0 || rule == null) {
            throw new IllegalArgumentException(
                    "the rule must not be NULL and f must be at least 0, got rule "
                            + rule
                            + " and f = "
                            + f);
        }
        settle(rows, f, rule);
        count(rows, new EncodedRow(worker, unboxed(gradient)).text(), by);
    }

    private static void settle(Rows rows, int f, String rule) {
        if (rows.byzantine >= 0 && (rows.byzantine != f || !rows.rule.equals(rule))) {
            throw new IllegalArgumentException(
                    "rule and f must be the same in all rows of a group, got %s with f = %d and %s with f = %d"
                            .formatted(rows.rule, rows.byzantine, rule, f));
        }
        rows.byzantine = f;
        rows.rule = rule;
    }

    private static void count(Rows rows, String row, int by) throws Exception {
        Integer before = rows.counts.get(row);
        int after = (before == null ? 0 : before) + by;
        if (after == 0) {
            rows.counts.remove(row);
        } else {
            rows.counts.put(row, after);
        }
    }

    private static float[] unboxed(Float[] gradient) {
        if (gradient == null) {
            return null;
        }
        float[] values = new float[gradient.length];
        for (int i = 0; i < values.length; i++) {
            if (gradient[i] == null) {
                return null;
            }
            values[i] = gradient[i];
        }
        return values;
    }

    private float[] value(Rows rows) throws Exception {
        List<EncodedRow> all = new ArrayList<>();
        for (Map.Entry<String, Integer> entry : rows.counts.entries()) {
            EncodedRow row = EncodedRow.parse(entry.getKey());
            int copies = row.worker() == null ? entry.getValue() : Math.min(1, entry.getValue());
            for (int i = 0; i < copies; i++) {
                all.add(row);
            }
        }
        if (all.isEmpty()) {
            return null;
        }
        Set<Long> contradictory = new HashSet<>();
        Map<Long, EncodedRow> byWorker = new TreeMap<>();
        List<float[]> candidates = new ArrayList<>();
        all.sort(null);
        for (EncodedRow row : all) {
            if (row.worker() == null) {
                candidates.add(row.values());
            } else if (byWorker.putIfAbsent(row.worker(), row) != null) {
                contradictory.add(row.worker());
            }
        }
        byWorker.keySet().removeAll(contradictory);
        byWorker.values().forEach(row -> candidates.add(row.values()));
        ScreenedRows screened = ScreenedRows.of(candidates, -1).plusFaults(contradictory.size());
        Rule rule = parse(rows.rule);
        boolean named = candidates.size() == byWorker.size();
        if (!named && !rule.trusted().isEmpty()) {
            throw new IllegalArgumentException(
                    "%s trusts %s, but some rows have no worker"
                            .formatted(rows.rule, String.join(", ", rule.trusted())));
        }
        List<String> senders = named ? screened.senders(byWorker.keySet()) : List.of();
        String problem = screened.problem(rule, rows.byzantine, senders);
        if (problem != null) {
            unaggregated.inc();
            LOG.debug("A group has no aggregate: {}", problem);
            return null;
        }
        return new Aggregator(rule, screened.remaining(rows.byzantine), 0)
                .aggregate(screened.rows(), round -> round.withIds(senders));
    }

    static Rule parse(String text) {
        return Rules.parse(text).withoutScores("which SQL has no place for");
    }
}
