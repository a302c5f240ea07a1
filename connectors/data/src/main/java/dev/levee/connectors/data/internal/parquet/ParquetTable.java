package dev.levee.connectors.data.internal.parquet;

import dev.levee.connectors.data.internal.file.RefusedDataException;
import dev.levee.connectors.data.internal.table.TableValues;

import org.apache.flink.core.fs.Path;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Reads Parquet files that form one table, row group by row group and column by column. Subclasses
 * decide what to do with the values.
 */
abstract class ParquetTable {
    /** The prefix of pandas's name for an index column. */
    private static final String PANDAS_INDEX = "__index_level_";

    private static final int LONGEST_LIST = Integer.MAX_VALUE / 8;

    private final String name;
    private List<ParquetColumn> leaves;

    /** Length of the lists in each column, 1 for columns without lists, 0 if it is not known. */
    private int[] lengths;

    private TableValues table;
    private ParquetFile file;

    /**
     * Creates a reader; {@link #read} reads the files.
     *
     * @param name for messages
     */
    ParquetTable(String name) {
        this.name = name;
    }

    /** Receives the columns, in the order of the first file, before any other call. */
    abstract void columns(List<ParquetColumn> found);

    /** True if a column is not to be read. */
    abstract boolean skips(int column);

    /**
     * Opens the table, before any values are read.
     *
     * @param lengths length of the lists in each column; 1 for columns without lists
     * @return the consumer of the values
     */
    abstract TableValues open(int[] lengths);

    /**
     * Reads files, in order.
     *
     * @throws IllegalArgumentException if the files are not a table; one sentence
     */
    final void read(List<Path> files) {
        List<Path> withoutLists = new ArrayList<>();
        for (Path path : files) {
            try (ParquetFile next = ParquetFile.open(path)) {
                file = next;
                checkColumns();
                if (table == null && !knowsLengths()) {
                    withoutLists.add(path);
                    continue;
                }
                begin(withoutLists);
                add(next);
            }
        }
        begin(withoutLists);
    }

    /** Opens the table, and adds the files that did not have a list in each column of lists. */
    private void begin(List<Path> withoutLists) {
        if (table != null) {
            return;
        }
        lengths = IntStream.of(lengths).map(length -> Math.max(1, length)).toArray();
        table = open(lengths);
        for (Path path : withoutLists) {
            try (ParquetFile early = ParquetFile.open(path)) {
                add(early);
            }
        }
    }

    final String name() {
        return name;
    }

    private void checkColumns() {
        List<ParquetColumn> found = leaves(file.schema());
        if (leaves == null) {
            leaves = found;
            columns(found);
            lengths = new int[found.size()];
            Arrays.setAll(lengths, i -> found.get(i).isList() && !skips(i) ? 0 : 1);
        } else if (!found.equals(leaves)) {
            throw new IllegalArgumentException(
                    file + " has different columns from the files before it in " + name);
        }
    }

    /** Looks for the first list in each column of lists. */
    private boolean knowsLengths() {
        for (BlockMetaData group : file.groups()) {
            eachColumn(
                    (leaf, column) -> {
                        if (lengths[column] == 0) {
                            lengths[column] = firstLength(group, leaf);
                        }
                    });
        }
        return IntStream.of(lengths).allMatch(length -> length > 0);
    }

    private void add(ParquetFile next) {
        file = next;
        file.groups().forEach(this::add);
    }

    private static List<ParquetColumn> leaves(MessageType schema) {
        List<ParquetColumn> leaves = new ArrayList<>();
        for (ColumnDescriptor leaf : schema.getColumns()) {
            if (!leaf.getPath()[0].startsWith(PANDAS_INDEX)) {
                leaves.add(ParquetColumn.of(schema, leaf));
            }
        }
        return leaves;
    }

    /** Length of the first list in a row group; 0 if all its lists are missing or empty. */
    private int firstLength(BlockMetaData group, ParquetColumn leaf) throws IOException {
        ColumnReader reader = reader(group, leaf.descriptor(), group.getRowCount());
        long values = reader.getTotalValueCount();
        int length = 0;
        for (long i = 0; i < values && length < LONGEST_LIST; i++) {
            if (length > 0 && reader.getCurrentRepetitionLevel() == 0) {
                break;
            }
            length += leaf.isNothing(reader) ? 0 : 1;
            reader.consume();
        }
        return length;
    }

    private void add(BlockMetaData group) {
        long count = group.getRowCount();
        if (count < 0) {
            throw new IllegalArgumentException(file + " claims " + count + " rows");
        }
        int first = table.grow(count);
        eachColumn((leaf, column) -> read(group, leaf, column, first, (int) count));
    }

    /** Work on a column of a row group. */
    private interface ColumnTask {
        void run(ParquetColumn leaf, int column) throws IOException;
    }

    private void eachColumn(ColumnTask task) {
        for (int column = 0; column < leaves.size(); column++) {
            if (!skips(column)) {
                try {
                    task.run(leaves.get(column), column);
                } catch (RefusedDataException e) {
                    throw e;
                } catch (IOException | RuntimeException e) {
                    throw ParquetFile.broken(file.toString(), e);
                }
            }
        }
    }

    private void read(BlockMetaData group, ParquetColumn leaf, int column, int first, int count)
            throws IOException {
        ColumnReader reader = reader(group, leaf.descriptor(), count);
        int length = lengths[column];
        int row = -1;
        int at = length - 1;
        long values = reader.getTotalValueCount();
        for (long i = 0; i < values; i++) {
            if (reader.getCurrentRepetitionLevel() == 0) {
                checkLength(leaf, first + row, at + 1, length);
                row++;
                at = -1;
            }
            at++;
            if (row >= count || at >= length) {
                checkLength(leaf, first + row, at + 1, length);
                throw new IOException("column " + leaf.name() + " has more rows than the others");
            }
            if (leaf.isNothing(reader)) {
                for (; at < length; at++) {
                    table.missing(first + row, column, at);
                }
                at = length - 1;
            } else {
                leaf.read(reader, table, first + row, column, at);
            }
            reader.consume();
        }
        checkLength(leaf, first + row, at + 1, length);
        if (row + 1 < count) {
            throw new IOException("column " + leaf.name() + " has fewer rows than the others");
        }
    }

    private void checkLength(ParquetColumn leaf, int row, int found, int length) {
        if (found != length) {
            throw new RefusedDataException(
                    ("%s, row %d, column %s has a list of %s values, but others have %d: "
                                    + "lists used as features must have one length")
                            .formatted(
                                    name,
                                    row,
                                    leaf.name(),
                                    found > length ? "more than " + length : "" + found,
                                    length));
        }
    }

    private ColumnReader reader(BlockMetaData group, ColumnDescriptor column, long rows)
            throws IOException {
        PageReader pages = file.pages(group, column);
        MessageType schema = file.schema();
        PageReadStore store =
                new PageReadStore() {
                    @Override
                    public PageReader getPageReader(ColumnDescriptor descriptor) {
                        return pages;
                    }

                    @Override
                    public long getRowCount() {
                        return rows;
                    }
                };
        return new ColumnReadStoreImpl(store, new NoConverter(schema), schema, file.createdBy())
                .getColumnReader(column);
    }

    /** Does nothing. Columns are read one by one, but Parquet's API requires a converter. */
    private static final class NoConverter extends GroupConverter {
        private final GroupType group;

        NoConverter(GroupType group) {
            this.group = group;
        }

        @Override
        public Converter getConverter(int field) {
            Type type = group.getType(field);
            return type.isPrimitive()
                    ? new PrimitiveConverter() {}
                    : new NoConverter(type.asGroupType());
        }

        @Override
        public void start() {}

        @Override
        public void end() {}
    }
}
