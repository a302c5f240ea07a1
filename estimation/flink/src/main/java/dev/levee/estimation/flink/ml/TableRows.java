package dev.levee.estimation.flink.ml;

import dev.levee.connectors.data.NumberTable;

import org.apache.flink.table.api.Table;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
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
        List<Row> rows = new ArrayList<>();
        try (CloseableIterator<Row> each = table.execute().collect()) {
            while (each.hasNext()) {
                rows.add(each.next());
                if ((long) rows.size() * names.size() * Double.BYTES > MOST_BYTES) {
                    throw new IllegalArgumentException(
                            "EffectEstimator takes tables of up to 16 MiB, got more: write them to"
                                    + " files");
                }
            }
        } catch (IllegalArgumentException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("the table to fit could not be read", e);
        }
        if (rows.isEmpty()) {
            throw new IllegalArgumentException("EffectEstimator needs rows, the table is empty");
        }
        rows.sort(Comparator.comparing(Row::toString));
        List<NumberTable.Column> columns = new ArrayList<>();
        for (int j = 0; j < names.size(); j++) {
            columns.add(column(names.get(j), rows, j));
        }
        return new NumberTable(columns);
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
