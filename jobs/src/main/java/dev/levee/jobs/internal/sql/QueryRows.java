package dev.levee.jobs.internal.sql;

import org.apache.flink.table.api.TableResult;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Formats the rows of a bounded query as text. */
public final class QueryRows {
    private QueryRows() {}

    /**
     * Returns comma-separated values with the column names in the first line. A table has no order,
     * so lines are sorted: equal rows give equal text. Numbers keep all their digits, booleans are
     * words, NULL is empty, and all other values are quoted.
     *
     * @throws Exception if the query failed
     */
    public static String csv(TableResult result) throws Exception {
        List<String> lines = new ArrayList<>();
        try (CloseableIterator<Row> rows = result.collect()) {
            while (rows.hasNext()) {
                lines.add(line(rows.next()));
            }
        }
        lines.sort(null);
        String names =
                result.getResolvedSchema().getColumnNames().stream()
                        .map(QueryRows::quoted)
                        .collect(Collectors.joining(","));
        return names + "\n" + lines.stream().map(each -> each + "\n").collect(Collectors.joining());
    }

    private static String line(Row row) {
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < row.getArity(); i++) {
            fields.add(field(row.getField(i)));
        }
        return String.join(",", fields);
    }

    private static String field(Object value) {
        if (value == null) {
            return "";
        }
        if (value instanceof BigDecimal number) {
            return number.toPlainString();
        }
        if (value instanceof Number number) {
            boolean whole = number instanceof Long || number instanceof Integer;
            return whole ? number.toString() : Double.toString(number.doubleValue());
        }
        return value instanceof Boolean ? value.toString() : quoted(value.toString());
    }

    private static String quoted(String text) {
        return '"' + text.replace("\"", "\"\"") + '"';
    }
}
