package dev.levee.connectors.data.internal.table;

import dev.levee.connectors.data.DatasetUri;
import dev.levee.connectors.data.internal.file.RefusedDataException;
import dev.levee.connectors.data.internal.split.Holdout;
import dev.levee.connectors.data.internal.table.TableColumns.Role;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;

/**
 * Collects a table's values in any order. Labels and categories of a test file must occur in the
 * training file.
 */
public final class TableBuilder implements TableValues {
    private static final int LONGEST_QUOTE = 40;

    /** Bytes of a row's array header and padding, of the reference to it, and of its label. */
    private static final int BYTES_BESIDE_A_ROW = 28;

    private final TableColumns columns;
    private final String missing;
    private final int givenClasses;
    private final Table train;
    private final IntFunction<String> place;
    private final LongConsumer memory;
    private final Names classes = new Names();
    private final Names[] categories;
    private final BitSet dropped = new BitSet();
    private float[][] rows = new float[64][];
    private int[] labels = new int[64];
    private int size;

    /**
     * @param train the training file's table; null if this builder reads the training file
     * @param place position of a row in its file, for messages, such as {@code line 7}
     * @param memory receives the number of bytes held, and throws if there are too many
     */
    public TableBuilder(
            DatasetUri uri,
            TableColumns columns,
            Table train,
            IntFunction<String> place,
            LongConsumer memory) {
        this.columns = columns;
        this.missing = TableOptions.missing(uri);
        this.givenClasses = Holdout.givenClasses(uri);
        this.train = train;
        this.place = place;
        this.memory = memory;
        this.categories = new Names[columns.count()];
        for (int column = 0; column < categories.length; column++) {
            Role role = columns.role(column);
            if (role == Role.CATEGORY || role == Role.OWNER) {
                categories[column] = new Names();
            }
        }
        if (train != null) {
            columns.checkLike(train.columns());
        }
    }

    /**
     * Adds rows of zeros.
     *
     * @return the index of the first added row
     */
    @Override
    public int grow(long count) {
        long bytes = (size + count) * (4L * columns.width() + BYTES_BESIDE_A_ROW);
        memory.accept(bytes);
        if (size + count > Integer.MAX_VALUE - 8) {
            throw new RefusedDataException(columns.table() + " has too many rows");
        }
        int first = size;
        size += (int) count;
        if (size > rows.length) {
            int length = (int) Math.min(Integer.MAX_VALUE - 8, Math.max(size, 2L * rows.length));
            rows = Arrays.copyOf(rows, length);
            labels = Arrays.copyOf(labels, length);
        }
        for (int row = first; row < size; row++) {
            rows[row] = new float[columns.width()];
        }
        return first;
    }

    @Override
    public boolean holdsNames(int column) {
        return categories[column] != null;
    }

    @Override
    public void text(int row, int column, String text) {
        switch (columns.role(column)) {
            case SKIPPED -> {}
            case LABEL -> label(row, text);
            case CATEGORY -> category(row, column, text);
            case OWNER -> owner(row, column, text);
            case TARGET ->
                    throw wrong(
                            row,
                            column,
                            ("has %s, but targets must be numbers: ?label=%s makes classes of "
                                            + "names")
                                    .formatted(quoted(text), columns.name(column)));
            case NUMBER ->
                    throw wrong(
                            row,
                            column,
                            ("has %s, which is not a number: ?categories=%s makes a feature "
                                            + "of each value, ?skip=%s omits the column")
                                    .formatted(
                                            quoted(text),
                                            columns.name(column),
                                            columns.name(column)));
        }
    }

    @Override
    public void number(int row, int column, int at, double number) {
        if (Double.isNaN(number)) {
            missing(row, column, at);
            return;
        }
        switch (columns.role(column)) {
            case SKIPPED -> {}
            case LABEL -> {
                if (!Numbers.isWhole(number)) {
                    throw wrong(
                            row,
                            column,
                            ("has the label %s, but classes must be names or whole "
                                            + "numbers; ?label=COLUMN selects the label column")
                                    .formatted(Numbers.shortest(number)));
                }
                label(row, Numbers.shortest(number));
            }
            case CATEGORY -> category(row, column, Numbers.shortest(number));
            case OWNER -> owner(row, column, Numbers.shortest(number));
            case NUMBER, TARGET -> {
                float value = (float) number;
                if (Float.isInfinite(value)) {
                    throw wrong(row, column, "has " + number + ", which is not finite as a float");
                }
                rows[row][columns.slot(column) + at] = value;
            }
        }
    }

    @Override
    public void truth(int row, int column, int at, boolean value) {
        Role role = columns.role(column);
        if (role.ofNumbers()) {
            number(row, column, at, value ? 1 : 0);
        } else {
            text(row, column, Boolean.toString(value));
        }
    }

    @Override
    public void missing(int row, int column, int at) {
        Role role = columns.role(column);
        if (role == Role.SKIPPED) {
            return;
        }
        if (missing.equals("drop")) {
            dropped.set(row);
        } else if (role == Role.LABEL) {
            throw wrong(row, column, "has no label: ?missing=drop omits such samples");
        } else if (role == Role.OWNER) {
            throw wrong(row, column, "has no owner: ?missing=drop omits such samples");
        } else if (role == Role.TARGET) {
            throw wrong(row, column, "has no target: ?missing=drop omits such samples");
        } else if (missing.equals("refuse")) {
            throw wrong(
                    row,
                    column,
                    "has no value: ?missing=drop omits such samples, ?missing=mean and "
                            + "?missing=zero fill it in");
        } else {
            rows[row][columns.slot(column) + at] = Float.NaN;
        }
    }

    private void label(int row, String name) {
        labels[row] = train == null ? classes.add(name) : train.classes().find(name);
        if (labels[row] < 0) {
            throw train == null
                    ? wrong(
                            row,
                            columns.label(),
                            ("has yet another label, after %s different ones: "
                                            + "?label=COLUMN selects the label column")
                                    .formatted(classes.size()))
                    : wrong(
                            row,
                            columns.label(),
                            "has the label %s, which %s lacks"
                                    .formatted(quoted(name), train.columns().table()));
        }
    }

    /** Sets a row's owner. Test samples may have other owners; these are not used. */
    private void owner(int row, int column, String name) {
        int code = train == null ? categories[column].add(name) : 0;
        if (code < 0) {
            throw wrong(row, column, "has more than 65536 owners");
        }
        rows[row][columns.slot(column)] = code;
    }

    private void category(int row, int column, String name) {
        int code =
                train == null
                        ? categories[column].add(name)
                        : train.categories()[column].find(name);
        if (code < 0) {
            throw train == null
                    ? wrong(row, column, "has more than 65536 categories")
                    : wrong(
                            row,
                            column,
                            "has the category %s, which %s lacks"
                                    .formatted(quoted(name), train.columns().table()));
        }
        rows[row][columns.slot(column)] = code;
    }

    /** The table. Rows with missing values are left out if the options say so. */
    public Table build() {
        if (size == 0) {
            throw new RefusedDataException(columns.table() + " has no samples");
        }
        int kept = 0;
        for (int row = dropped.nextClearBit(0); row < size; row = dropped.nextClearBit(row + 1)) {
            rows[kept] = rows[row];
            labels[kept++] = labels[row];
        }
        if (kept == 0) {
            throw new RefusedDataException(
                    columns.table() + " has no sample without a missing value");
        }
        float[][] samples = Arrays.copyOf(rows, kept);
        int[] numbers = Arrays.copyOf(labels, kept);
        if (train != null) {
            return new Table(columns, samples, numbers, train.classes(), train.categories());
        }
        Names sorted = classes.size() == 0 ? classes : classes.numbered(numbers, givenClasses);
        for (int column = 0; column < categories.length; column++) {
            if (categories[column] != null) {
                categories[column] =
                        columns.role(column) == Role.OWNER
                                ? sortOwners(samples, column)
                                : sortCategories(samples, column);
            }
        }
        return new Table(columns, samples, numbers, sorted, categories);
    }

    /** Numbers the owners of the kept samples: every owner must have a sample to train on. */
    private Names sortOwners(float[][] samples, int column) {
        int slot = columns.slot(column);
        int[] codes = new int[samples.length];
        Arrays.setAll(codes, i -> (int) samples[i][slot]);
        Names sorted = categories[column].numbered(codes, 0);
        for (int i = 0; i < samples.length; i++) {
            samples[i][slot] = codes[i];
        }
        return sorted;
    }

    /** Categories of dropped samples stay, because test samples may have them. */
    private Names sortCategories(float[][] samples, int column) {
        int slot = columns.slot(column);
        Names found = categories[column];
        Names sorted = found.sorted();
        for (float[] sample : samples) {
            if (!Float.isNaN(sample[slot])) {
                sample[slot] = sorted.find(found.list().get((int) sample[slot]));
            }
        }
        return sorted;
    }

    private static String quoted(String text) {
        return '"'
                + (text.length() <= LONGEST_QUOTE ? text : text.substring(0, LONGEST_QUOTE) + "…")
                        .replaceAll("\\s", " ")
                + '"';
    }

    private IllegalArgumentException wrong(int row, int column, String what) {
        return new RefusedDataException(
                "%s, %s, column %s %s"
                        .formatted(columns.table(), place.apply(row), columns.name(column), what));
    }
}
