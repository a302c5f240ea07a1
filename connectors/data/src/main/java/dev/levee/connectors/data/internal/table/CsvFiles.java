package dev.levee.connectors.data.internal.table;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.DatasetFormat;
import dev.levee.connectors.data.DatasetOption;
import dev.levee.connectors.data.DatasetUri;
import dev.levee.connectors.data.Datasets.Split;
import dev.levee.connectors.data.NumberTable;
import dev.levee.connectors.data.internal.file.DataFile;

import org.apache.flink.core.fs.Path;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * {@code csv:FILE}: comma-separated values as in RFC 4180, plain or gzip, in UTF-8, one sample per
 * row. Fields with commas, quotes or line breaks are quoted. Numbers have a decimal point, unless
 * {@code ?decimal=comma} is given; true and false are 1 and 0.
 */
public final class CsvFiles implements DatasetFormat {
    private static final Set<String> MISSING =
            Set.of("", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "NULL", "null", "None", "?");

    @Override
    public String form() {
        return "csv:FILE";
    }

    @Override
    public String summary() {
        return "comma-separated values in UTF-8, one sample per row, quotes as in RFC 4180";
    }

    @Override
    public List<DatasetOption> options() {
        return TableOptions.with(
                new DatasetOption(
                        "header",
                        "yes or no",
                        "yes, unless a field of the first row is a number",
                        "whether the first row has the column names; without them, columns "
                                + "are numbered from 1"),
                new DatasetOption(
                        "separator",
                        "a character, or tab",
                        "a comma, or a tab for FILE.tsv",
                        "field separator"),
                new DatasetOption(
                        "decimal", "point or comma", "point", "decimal separator of numbers"));
    }

    /** Reads a file into memory, four bytes per value. */
    @Override
    public Dataset open(DatasetUri uri, Split split) {
        uri.check(this);
        uri.word("header", "guess", "yes", "no");
        decimal(uri);
        return Tables.open(uri, split, (path, train) -> read(uri, path, train));
    }

    private static Table read(DatasetUri uri, Path path, Table train) {
        try (DataFile file = DataFile.open(path)) {
            Rows rows = new Rows(uri, path, file);
            int[] lengths = new int[rows.names.size()];
            Arrays.fill(lengths, 1);
            if (lengths.length == 1) {
                throw file.wrong(
                        "has only one column; ?separator=CHARACTER sets the field separator");
            }
            TableColumns columns = new TableColumns(uri, path.toString(), rows.names, lengths);
            TableBuilder table =
                    new TableBuilder(
                            uri,
                            columns,
                            train,
                            row -> "line " + rows.reader.line(),
                            file::checkMemory);
            rows.into(table, column -> columns.role(column).ofNumbers());
            return table.build();
        }
    }

    @Override
    public boolean holdsTable() {
        return true;
    }

    /** Reads a file into memory, eight bytes per value. */
    @Override
    public NumberTable table(DatasetUri uri) {
        uri.check("header", "separator", "decimal");
        uri.word("header", "guess", "yes", "no");
        decimal(uri);
        Path path = DataFile.path(uri.path());
        try (DataFile file = DataFile.open(path)) {
            Rows rows = new Rows(uri, path, file);
            NumberTableBuilder table =
                    new NumberTableBuilder(path.toString(), rows.names, file::checkMemory);
            rows.into(table, column -> true);
            return table.build();
        }
    }

    private static char separator(DatasetUri uri, Path path) {
        String given = uri.options().get("separator");
        if (given == null) {
            return path.getName().matches(".*\\.tsv(\\.gz)?") ? '\t' : ',';
        }
        if (given.equals("tab")) {
            return '\t';
        }
        if (given.length() != 1 || given.charAt(0) == '"') {
            throw new IllegalArgumentException(
                    uri.text() + ": separator must be one character or tab, got " + given);
        }
        return given.charAt(0);
    }

    private static String decimal(DatasetUri uri) {
        return uri.word("decimal", "point", "point", "comma");
    }

    /** The column names and the rows of a file. */
    private static final class Rows {
        private final DataFile file;
        private final CsvReader reader;
        private final boolean comma;
        private final List<String> names;

        /** The first row; null if it holds the column names. */
        private final List<String> first;

        /** Reads the first row of a file. */
        Rows(DatasetUri uri, Path path, DataFile file) {
            this.file = file;
            reader = new CsvReader(file, separator(uri, path));
            comma = decimal(uri).equals("comma");
            List<String> row = reader.next();
            if (row == null) {
                throw file.wrong("is empty");
            }
            boolean header =
                    uri.has("header")
                            ? uri.options().get("header").equals("yes")
                            : row.stream().map(String::strip).noneMatch(this::isNumber);
            names =
                    header
                            ? named(row)
                            : IntStream.rangeClosed(1, row.size())
                                    .mapToObj(Integer::toString)
                                    .toList();
            first = header ? null : row;
        }

        /**
         * Reads all rows.
         *
         * @param truths columns in which the words true and false are booleans rather than text
         */
        void into(TableValues table, IntPredicate truths) {
            List<String> row = first == null ? reader.next() : first;
            for (; row != null; row = reader.next()) {
                if (row.size() != names.size()) {
                    throw file.wrong(
                            "line %d has %d fields, but there are %d columns"
                                    .formatted(reader.line(), row.size(), names.size()));
                }
                int at = table.grow(1);
                for (int column = 0; column < row.size(); column++) {
                    String field = row.get(column).strip();
                    if (MISSING.contains(field)) {
                        table.missing(at, column, 0);
                    } else if (isNumber(field) && table.holdsNames(column)) {
                        table.text(at, column, Numbers.name(pointed(field)));
                    } else if (isNumber(field)) {
                        table.number(at, column, 0, Double.parseDouble(pointed(field)));
                    } else if (truths.test(column)
                            && (field.equalsIgnoreCase("true")
                                    || field.equalsIgnoreCase("false"))) {
                        table.truth(at, column, 0, field.equalsIgnoreCase("true"));
                    } else {
                        table.text(at, column, field);
                    }
                }
            }
        }

        private List<String> named(List<String> first) {
            List<String> names = new ArrayList<>();
            for (String name : first) {
                names.add(name.strip());
                // pandas writes its index as a column without a name, which is ignored.
                if (names.size() > 1 && names.get(names.size() - 1).isEmpty()) {
                    throw file.wrong(
                            "has no name for column %s in its first row: name it, or use ?header=no"
                                    .formatted(names.size()));
                }
            }
            return names;
        }

        private String pointed(String field) {
            return comma ? field.replace(',', '.') : field;
        }

        /** True for decimal numbers. Java's parser would also accept 1d and 0x1p3. */
        private boolean isNumber(String text) {
            if (comma && text.indexOf('.') >= 0) {
                return false;
            }
            String field = pointed(text);
            for (int i = 0; i < field.length(); i++) {
                if ("0123456789+-.eE".indexOf(field.charAt(i)) < 0) {
                    return false;
                }
            }
            try {
                Double.parseDouble(field);
                return true;
            } catch (NumberFormatException e) {
                return false;
            }
        }
    }
}
