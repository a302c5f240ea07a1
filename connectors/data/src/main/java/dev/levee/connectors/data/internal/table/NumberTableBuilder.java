package dev.levee.connectors.data.internal.table;

import dev.levee.connectors.data.NumberTable;
import dev.levee.connectors.data.internal.file.RefusedDataException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * Collects a table of numbers, without lists. When a column has its first text, its values become
 * codes.
 */
public final class NumberTableBuilder implements TableValues {
    private static final int FIRST_ROWS = 16;

    private final String table;
    private final List<String> names;
    private final LongConsumer memory;
    private final double[][] columns;
    private final String[] texts;
    private final List<Map<String, Integer>> codes = new ArrayList<>();
    private int rows;

    /**
     * Creates a builder whose table has no rows yet.
     *
     * @param table for messages
     * @param names the names of the columns; unnamed columns are ignored
     * @param memory receives the bytes needed, and throws if there is not enough memory
     */
    public NumberTableBuilder(String table, List<String> names, LongConsumer memory) {
        this.table = table;
        this.names = names;
        this.memory = memory;
        memory.accept((long) FIRST_ROWS * Double.BYTES * names.size());
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

    @Override
    public int grow(long count) {
        int first = rows;
        if (rows + count > columns[0].length) {
            long length = Math.max(2L * columns[0].length, rows + count);
            memory.accept(3 * length / 2 * Double.BYTES * width());
            if (length > Integer.MAX_VALUE - 8) {
                throw new RefusedDataException(table + " has too many rows");
            }
            for (int column = 0; column < columns.length; column++) {
                columns[column] = Arrays.copyOf(columns[column], (int) length);
            }
        }
        rows += (int) count;
        return first;
    }

    @Override
    public boolean holdsNames(int column) {
        return false;
    }

    @Override
    public void missing(int row, int column, int at) {
        columns[column][row] = Double.NaN;
    }

    @Override
    public void truth(int row, int column, int at, boolean value) {
        number(row, column, at, value ? 1 : 0);
    }

    @Override
    public void number(int row, int column, int at, double value) {
        if (texts[column] == null || Double.isNaN(value)) {
            columns[column][row] = value;
        } else {
            text(row, column, Numbers.shortest(value));
        }
    }

    @Override
    public void text(int row, int column, String value) {
        if (texts[column] == null) {
            texts[column] = value;
            codes.set(column, new HashMap<>());
            double[] before = columns[column];
            for (int i = 0; i < row; i++) {
                if (!Double.isNaN(before[i])) {
                    before[i] = code(column, Numbers.shortest(before[i]));
                }
            }
        }
        columns[column][row] = code(column, value);
    }

    private int code(int column, String value) {
        Map<String, Integer> known = codes.get(column);
        return known.computeIfAbsent(value, each -> known.size());
    }

    public NumberTable build() {
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
