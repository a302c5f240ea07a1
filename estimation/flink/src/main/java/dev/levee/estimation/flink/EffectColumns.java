package dev.levee.estimation.flink;

import dev.levee.connectors.data.Datasets;
import dev.levee.connectors.data.NumberTable;
import dev.levee.estimation.EffectData;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * The address of an estimate's table, and the roles of its columns. It is sent to every
 * TaskManager, which reads the table itself.
 *
 * @param data URI of the table
 * @param outcome column of the outcome
 * @param treatments columns of treatments
 * @param instruments columns of instruments; empty for none
 * @param covariates columns of covariates; empty for all columns without another role
 * @param clusters none, one or two columns of clusters, numbers or text
 * @param folds none, one or two columns of given folds, numbers or text
 */
public record EffectColumns(
        String data,
        String outcome,
        List<String> treatments,
        List<String> instruments,
        List<String> covariates,
        List<String> clusters,
        List<String> folds)
        implements EffectSource {
    /** From here on, several whole numbers may be the same double. */
    private static final double INEXACT = 1L << 53;

    /** Copies the lists. */
    public EffectColumns {
        treatments = List.copyOf(treatments);
        instruments = List.copyOf(instruments);
        covariates = List.copyOf(covariates);
        clusters = List.copyOf(clusters);
        folds = List.copyOf(folds);
    }

    /** The same columns in another table. */
    public EffectColumns with(String table) {
        return new EffectColumns(
                table, outcome, treatments, instruments, covariates, clusters, folds);
    }

    /**
     * Reads the table.
     *
     * @throws IllegalArgumentException if the table cannot be read, or a column is missing or not
     *     numeric; one sentence
     */
    @Override
    public EffectData read() {
        return read(Datasets.table(data));
    }

    @Override
    public String name() {
        return data;
    }

    /**
     * Takes the columns from a table.
     *
     * @throws IllegalArgumentException if a column is missing or not numeric; one sentence
     */
    EffectData read(NumberTable table) {
        Set<String> used = new HashSet<>();
        EffectData.Column y = numbers(table, outcome, "--outcome", used);
        List<EffectData.Column> d = numbers(table, treatments, "--treatment", used);
        List<EffectData.Column> z = numbers(table, instruments, "--instrument", used);
        List<EffectData.Codes> codes = codes(table, clusters, "--cluster", used);
        List<EffectData.Codes> given = codes(table, folds, "--fold-column", used);
        List<EffectData.Column> x = new ArrayList<>();
        if (covariates.isEmpty()) {
            for (String each : table.names()) {
                if (!used.contains(each)) {
                    x.add(numbers(table, each, "--covariates", used));
                }
            }
        }
        x.addAll(numbers(table, covariates, "--covariates", used));
        return new EffectData(y, d, z, x, codes, given);
    }

    /**
     * Number of folds that a table gives; 0 if folds are drawn.
     *
     * @throws IllegalArgumentException if the column of folds is missing; one sentence
     */
    public int givenFolds(NumberTable table) {
        return codes(table, folds, "--fold-column", new HashSet<>()).stream()
                .mapToInt(EffectData.Codes::count)
                .max()
                .orElse(0);
    }

    private List<EffectData.Column> numbers(
            NumberTable table, List<String> names, String option, Set<String> used) {
        return names.stream().map(each -> numbers(table, each, option, used)).toList();
    }

    private List<EffectData.Codes> codes(
            NumberTable table, List<String> names, String option, Set<String> used) {
        return names.stream().map(each -> codes(table, each, option, used)).toList();
    }

    private NumberTable.Column column(
            NumberTable table, String name, String option, Set<String> used) {
        if (!used.add(name)) {
            throw new IllegalArgumentException(
                    "%s %s is named twice: a column has one role".formatted(option, name));
        }
        return table.column(name)
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "%s must be one of %s, got %s"
                                                .formatted(
                                                        option,
                                                        String.join(", ", table.names()),
                                                        name)));
    }

    private EffectData.Column numbers(
            NumberTable table, String name, String option, Set<String> used) {
        NumberTable.Column column = column(table, name, option, used);
        if (column.text() != null) {
            throw new IllegalArgumentException(
                    "%s %s holds text such as %s: write it as numbers, or name other columns"
                            .formatted(option, name, column.text()));
        }
        return new EffectData.Column(name, column.values());
    }

    /** Codes of a column from 0: numbers in ascending order, text in order of first appearance. */
    private EffectData.Codes codes(
            NumberTable table, String name, String option, Set<String> used) {
        double[] values = column(table, name, option, used).values();
        Map<Double, Integer> known = new TreeMap<>();
        for (int i = 0; i < values.length; i++) {
            if (Double.isNaN(values[i])) {
                throw new IllegalArgumentException(
                        "%s %s has a missing value in row %d".formatted(option, name, i + 1));
            }
            if (Math.abs(values[i]) >= INEXACT) {
                throw new IllegalArgumentException(
                        ("%s %s has %s in row %d, but numbers from 2^53 on may not be read "
                                        + "exactly: write a letter before each number of the "
                                        + "column, which makes it text")
                                .formatted(option, name, values[i], i + 1));
            }
            known.put(values[i] + 0.0, 0); // turns -0 into 0
        }
        int next = 0;
        for (Map.Entry<Double, Integer> each : known.entrySet()) {
            each.setValue(next++);
        }
        int[] codes = Arrays.stream(values).mapToInt(value -> known.get(value + 0.0)).toArray();
        return new EffectData.Codes(name, codes);
    }

    /** A checksum of all columns, with which TaskManagers check that they read the same table. */
    public static long checksum(EffectData data) {
        CRC32C sum = new CRC32C();
        update(sum, data.outcome().values());
        data.treatments().forEach(each -> update(sum, each.values()));
        data.covariates().forEach(each -> update(sum, each.values()));
        data.instruments().forEach(each -> update(sum, each.values()));
        data.clusters().forEach(each -> update(sum, asDoubles(each.values())));
        data.given().forEach(each -> update(sum, asDoubles(each.values())));
        return sum.getValue();
    }

    private static double[] asDoubles(int[] values) {
        return Arrays.stream(values).asDoubleStream().toArray();
    }

    private static void update(CRC32C sum, double[] values) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * Double.BYTES);
        bytes.asDoubleBuffer().put(values);
        sum.update(bytes);
    }
}
