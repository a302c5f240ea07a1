package dev.levee.estimation.flink;

import dev.levee.connectors.data.NumberTable;
import dev.levee.estimation.EffectData;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A small table that is serialized with the job.
 *
 * @param columns the roles of the table's columns; the address in them is not used
 * @param names the names of the columns
 * @param values the values of each column, as in {@link NumberTable.Column}
 * @param texts the first text of each column; null if all its values are numbers
 */
record EffectRows(EffectColumns columns, List<String> names, double[][] values, List<String> texts)
        implements EffectSource {
    static EffectRows of(EffectColumns columns, NumberTable table) {
        return new EffectRows(
                columns,
                table.names(),
                table.columns().stream().map(NumberTable.Column::values).toArray(double[][]::new),
                Arrays.asList(
                        table.columns().stream()
                                .map(NumberTable.Column::text)
                                .toArray(String[]::new)));
    }

    @Override
    public EffectData read() {
        return columns.read(
                new NumberTable(
                        IntStream.range(0, values.length)
                                .mapToObj(
                                        j ->
                                                new NumberTable.Column(
                                                        names.get(j), values[j], texts.get(j)))
                                .toList()));
    }

    @Override
    public String name() {
        return "the table";
    }

    @Override
    public List<String> treatments() {
        return columns.treatments();
    }

    /**
     * Compares the contents: each operator of a job has its own copy, and a process should keep
     * only one.
     */
    @Override
    public boolean equals(Object other) {
        return other instanceof EffectRows rows
                && columns.equals(rows.columns)
                && names.equals(rows.names)
                && Arrays.deepEquals(values, rows.values);
    }

    @Override
    public int hashCode() {
        return columns.hashCode();
    }
}
