package dev.levee.connectors.data;

import java.util.List;
import java.util.Optional;

/**
 * A table whose columns are read as they are, eight bytes a number: nothing is scaled, held out or
 * filled in.
 *
 * @param columns in the order of the file, all of one length
 */
public record NumberTable(List<Column> columns) {
    /**
     * A column.
     *
     * @param name as the file has it
     * @param values its numbers, NaN where one is missing; codes from 0 in the order of their first
     *     appearance if it holds text
     * @param text the first value that is no number; null if there is none
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
