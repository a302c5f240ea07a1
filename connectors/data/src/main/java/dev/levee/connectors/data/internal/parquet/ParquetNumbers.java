package dev.levee.connectors.data.internal.parquet;

import dev.levee.connectors.data.NumberTable;
import dev.levee.connectors.data.internal.file.Memory;
import dev.levee.connectors.data.internal.table.NumberTableBuilder;
import dev.levee.connectors.data.internal.table.TableValues;

import org.apache.flink.core.fs.Path;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Reads Parquet files as a table of numbers. */
final class ParquetNumbers extends ParquetTable {
    private List<ParquetColumn> columns;
    private NumberTableBuilder table;

    private ParquetNumbers(String name) {
        super(name);
    }

    /**
     * Reads a table. Columns that are neither numbers nor text, such as dates and lists, get
     * missing values only, and the name of their type as text.
     *
     * @param name for messages
     * @param files the files of the table, in order
     * @throws IllegalArgumentException if the files are not a table; one sentence
     */
    static NumberTable read(String name, List<Path> files) {
        ParquetNumbers numbers = new ParquetNumbers(name);
        numbers.read(files);
        return new NumberTable(
                numbers.table.build().columns().stream().map(numbers::withoutOthers).toList());
    }

    private NumberTable.Column withoutOthers(NumberTable.Column column) {
        Optional<ParquetColumn> other =
                columns.stream()
                        .filter(each -> each.name().equals(column.name()) && !each.isPlain())
                        .findFirst();
        if (other.isEmpty()) {
            return column;
        }
        Arrays.fill(column.values(), Double.NaN);
        return new NumberTable.Column(column.name(), column.values(), other.get().typeName());
    }

    @Override
    void columns(List<ParquetColumn> found) {
        columns = found;
    }

    @Override
    TableValues open(int[] lengths) {
        table =
                new NumberTableBuilder(
                        name(),
                        columns.stream().map(ParquetColumn::name).toList(),
                        bytes -> Memory.check(name(), bytes));
        return table;
    }

    @Override
    boolean skips(int column) {
        return !columns.get(column).isPlain();
    }
}
