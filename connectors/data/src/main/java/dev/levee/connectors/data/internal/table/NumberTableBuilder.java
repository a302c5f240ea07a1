package dev.levee.connectors.data.internal.table;

import dev.levee.connectors.data.NumberTable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;

/** Collects a table row by row. A column becomes one of codes with its first text. */
final class NumberTableBuilder {
    private static final int FIRST_ROWS = 1024;

    private final String table;
    private final List<String> names;
    private final LongConsumer memory;
    private final double[][] columns;
    private final String[] texts;
    private final List<Map<String, Integer>> codes = new ArrayList<>();
    private int rows;

    /**
     * A builder of a table without rows.
     *
     * @param table for messages
     * @param names of the columns; unnamed columns are ignored
     * @param memory refuses more bytes than are available
     */
    NumberTableBuilder(String table, List<String> names, LongConsumer memory) {
        this.table = table;
        this.names = names;
        this.memory = memory;
        this.columns = new double[names.size()][FIRST_ROWS];
        this.texts = new String[names.size()];
        Set<String> seen = new HashSet<>();
        for (String name : names) {
            if (!seen.add(name)) {
                throw new IllegalArgumentException(
                        table + " has two columns with the name " + name);
            }
            codes.add(null);
        }
    }

    int width() {
        return names.size();
    }

    /** Begins a row. */
    void next() {
        if (rows == columns[0].length) {
            memory.accept(3L * rows * Double.BYTES * width());
            for (int column = 0; column < columns.length; column++) {
                columns[column] = Arrays.copyOf(columns[column], 2 * rows);
            }
        }
        rows++;
    }

    /** Sets the row's number in a column, NaN if it is missing. */
    void number(int column, double value) {
        if (texts[column] == null || Double.isNaN(value)) {
            columns[column][rows - 1] = value;
        } else {
            text(column, Numbers.shortest(value));
        }
    }

    /** Sets the row's text in a column. */
    void text(int column, String value) {
        if (texts[column] == null) {
            texts[column] = value;
            codes.set(column, new HashMap<>());
            double[] before = columns[column];
            for (int row = 0; row < rows - 1; row++) {
                if (!Double.isNaN(before[row])) {
                    before[row] = code(column, Numbers.shortest(before[row]));
                }
            }
        }
        columns[column][rows - 1] = code(column, value);
    }

    private int code(int column, String value) {
        Map<String, Integer> known = codes.get(column);
        return known.computeIfAbsent(value, each -> known.size());
    }

    NumberTable build() {
        if (rows == 0) {
            throw new IllegalArgumentException(table + " has no rows");
        }
        List<NumberTable.Column> all = new ArrayList<>();
        for (int column = 0; column < columns.length; column++) {
            if (!names.get(column).isEmpty()) {
                all.add(
                        new NumberTable.Column(
                                names.get(column),
                                Arrays.copyOf(columns[column], rows),
                                texts[column]));
            }
        }
        return new NumberTable(all);
    }
}
