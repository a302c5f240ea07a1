package dev.levee.connectors.data.internal.parquet;

import dev.levee.connectors.data.DatasetUri;
import dev.levee.connectors.data.internal.file.Memory;
import dev.levee.connectors.data.internal.table.Table;
import dev.levee.connectors.data.internal.table.TableBuilder;
import dev.levee.connectors.data.internal.table.TableColumns;
import dev.levee.connectors.data.internal.table.TableColumns.Role;
import dev.levee.connectors.data.internal.table.TableValues;

import org.apache.flink.core.fs.Path;

import java.util.List;

/** Reads Parquet files whose rows are samples. */
final class ParquetSamples extends ParquetTable {
    private final DatasetUri uri;
    private final Table train;
    private List<String> names;
    private TableColumns columns;
    private TableBuilder table;

    private ParquetSamples(DatasetUri uri, String name, Table train) {
        super(name);
        this.uri = uri;
        this.train = train;
    }

    /**
     * Reads a table.
     *
     * @param name for messages
     * @param files the files of the table, in order
     * @param train the training table, if this is the test table; otherwise null
     * @throws IllegalArgumentException if the files are not a table; one sentence
     */
    static Table read(DatasetUri uri, String name, List<Path> files, Table train) {
        ParquetSamples samples = new ParquetSamples(uri, name, train);
        samples.read(files);
        return samples.table.build();
    }

    @Override
    void columns(List<ParquetColumn> found) {
        names = found.stream().map(ParquetColumn::name).toList();
        // The lengths do not matter for the roles.
        int[] lengths = found.stream().mapToInt(column -> 1).toArray();
        columns = new TableColumns(uri, name(), names, lengths);
        for (int column = 0; column < found.size(); column++) {
            found.get(column).checkReadable(name(), columns.role(column));
        }
    }

    @Override
    TableValues open(int[] lengths) {
        columns = new TableColumns(uri, name(), names, lengths);
        table =
                new TableBuilder(
                        uri,
                        columns,
                        train,
                        row -> "row " + row,
                        bytes -> Memory.check(name(), bytes));
        return table;
    }

    @Override
    boolean skips(int column) {
        return columns.role(column) == Role.SKIPPED;
    }
}
