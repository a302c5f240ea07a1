package dev.levee.connectors.data;

import java.util.List;
import java.util.Optional;

/**
 * A table with unchanged columns, eight bytes per number: nothing is scaled, held out or filled in.
 *
 * @param columns the columns, in the order of the file; all have the same length
 */
public record NumberTable(List<Column> columns) {
    /**
     * A column.
     *
     * @param name the name in the file
     * @param values its numbers, NaN for missing ones; for text, codes from 0 in order of first
     *     appearance
     * @param text the first non-numeric value; null if there is none
     */
    public record Column(String name, double[] values, String text) {}

    /** Copies the list. */
    public NumberTable {
        columns = List.copyOf(columns);
    }

    /** Number of rows. */
    public int size() {
        return columns.get(0).values().length;
    }

    /** The columns' names. */
    public List<String> names() {
        return columns.stream().map(Column::name).toList();
    }

    /** A column by name. */
    public Optional<Column> column(String name) {
        return columns.stream().filter(each -> each.name().equals(name)).findFirst();
    }
}
