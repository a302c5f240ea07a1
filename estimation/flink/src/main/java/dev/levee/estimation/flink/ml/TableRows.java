package dev.levee.estimation.flink.ml;

import dev.levee.connectors.data.NumberTable;

import org.apache.flink.table.api.Table;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.CloseableIterator;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects a bounded table to this process. */
final class TableRows {
    private static final long MOST_BYTES = 16 << 20;

    private TableRows() {}

    /**
     * Collects the rows and sorts them, so that the result does not depend on the order of rows.
     * Booleans become 1 and 0, NULL becomes a missing value, and values that are not numbers become
     * codes.
     *
     * @throws IllegalArgumentException if there are no rows or too many; one sentence
     */
    static NumberTable collect(Table table) {
        List<String> names = table.getResolvedSchema().getColumnNames();
        List<Row> rows;
        try (CloseableIterator<Row> changes = table.execute().collect()) {
            rows = apply(changes, MOST_BYTES / Double.BYTES / names.size());
        } catch (IllegalArgumentException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("the table to fit could not be read", e);
        }
        if (rows.isEmpty()) {
            throw new IllegalArgumentException("EffectEstimator needs rows, the table is empty");
        }
        rows =
                rows.stream()
                        .map(row -> Map.entry(row.toString(), row))
                        .sorted(Map.Entry.comparingByKey())
                        .map(Map.Entry::getValue)
                        .toList();
        List<NumberTable.Column> columns = new ArrayList<>();
        for (int j = 0; j < names.size(); j++) {
            columns.add(column(names.get(j), rows, j));
        }
        return new NumberTable(columns);
    }

    /**
     * The rows that remain after all changes. In streaming mode, a query such as an aggregation
     * inserts preliminary rows and retracts them later.
     *
     * @throws IllegalArgumentException if there are more than {@code most} rows at any time; one
     *     sentence
     */
    static List<Row> apply(Iterator<Row> changes, long most) {
        Map<Row, Integer> copies = new LinkedHashMap<>();
        long size = 0;
        while (changes.hasNext()) {
            Row row = changes.next();
            int change =
                    row.getKind() == RowKind.INSERT || row.getKind() == RowKind.UPDATE_AFTER
                            ? 1
                            : -1;
            row.setKind(RowKind.INSERT); // rows of different kinds are not equal
            copies.merge(row, change, (before, more) -> before + more == 0 ? null : before + more);
            size += change;
            if (size > most) {
                throw new IllegalArgumentException(
                        "EffectEstimator takes tables of up to 16 MiB, got more: write them to"
                                + " files");
            }
        }
        List<Row> rows = new ArrayList<>();
        copies.forEach((row, many) -> rows.addAll(Collections.nCopies(many, row)));
        return rows;
    }

    private static NumberTable.Column column(String name, List<Row> rows, int j) {
        double[] values = new double[rows.size()];
        Object text = null;
        for (Row row : rows) {
            Object value = row.getField(j);
            if (text == null && value != null && !isNumber(value)) {
                text = value;
            }
        }
        Map<Object, Integer> codes = new HashMap<>();
        for (int i = 0; i < values.length; i++) {
            Object value = rows.get(i).getField(j);
            if (value == null) {
                values[i] = Double.NaN;
            } else if (text != null) {
                values[i] = codes.computeIfAbsent(value, each -> codes.size());
            } else {
                values[i] = number(value);
            }
        }
        return new NumberTable.Column(name, values, text == null ? null : text.toString());
    }

    private static boolean isNumber(Object value) {
        return value instanceof Number || value instanceof Boolean;
    }

    private static double number(Object value) {
        return value instanceof Boolean truth ? truth ? 1 : 0 : ((Number) value).doubleValue();
    }
}
