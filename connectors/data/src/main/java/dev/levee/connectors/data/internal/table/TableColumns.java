package dev.levee.connectors.data.internal.table;

import dev.levee.connectors.data.DatasetUri;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The columns of a table and their roles. A column of numbers, targets, categories or owners takes
 * one slot of a row, a column of lists one slot per element. Tables with targets have no label.
 * Unnamed columns are ignored, unless an option gives them a role.
 */
public final class TableColumns {
    /** The purpose of a column. */
    public enum Role {
        LABEL,
        TARGET,
        NUMBER,
        CATEGORY,
        OWNER,
        SKIPPED;

        /** True if the column's values must be numbers. */
        public boolean ofNumbers() {
            return this == TARGET || this == NUMBER;
        }
    }

    private static final String USUAL_LABEL = "label";

    /** The value of {@link #label} if there is no such column. */
    private static final int NONE = -1;

    /** The option that names the columns of each role. */
    private static final Map<Role, String> OTHERS =
            Map.of(
                    Role.SKIPPED, "skip",
                    Role.CATEGORY, "categories",
                    Role.TARGET, "targets",
                    Role.OWNER, "owner",
                    Role.LABEL, "label");

    private final String table;
    private final List<String> names;
    private final Role[] roles;
    private final int[] lengths;
    private final int[] slots;
    private final int width;
    private final int label;
    private final int owner;
    private final int[] targets;

    /**
     * Reads the column options of an address: {@code label}, {@code owner}, {@code targets}, {@code
     * skip} and {@code categories}, which give a column's name or its number from 1.
     *
     * @param table for messages
     * @param names the names of the columns; numbers from 1 if the file has no names
     * @param lengths length of the lists in each column; 1 for columns without lists
     * @throws IllegalArgumentException if a column does not exist or has two roles, or no feature
     *     is left; one sentence
     */
    public TableColumns(DatasetUri uri, String table, List<String> names, int[] lengths) {
        this.table = table;
        this.names = names;
        this.lengths = lengths;
        checkNames();
        roles = new Role[names.size()];
        Arrays.setAll(roles, i -> names.get(i).isEmpty() ? Role.SKIPPED : Role.NUMBER);
        uri.names("skip").forEach(name -> give(uri, Role.SKIPPED, name));
        uri.names("categories").forEach(name -> give(uri, Role.CATEGORY, name));
        owner = uri.has("owner") ? only(uri, "owner") : NONE;
        if (owner != NONE) {
            roles[owner] = Role.OWNER;
        }
        uri.names("targets").forEach(name -> target(uri, name));
        label = uri.has("targets") ? NONE : label(uri);
        if (label != NONE) {
            roles[label] = Role.LABEL;
        }
        slots = new int[roles.length];
        long slot = 0;
        for (int i = 0; i < roles.length; i++) {
            slots[i] = (int) slot;
            slot += slotsOf(i);
            if (slot > Integer.MAX_VALUE / 8) {
                throw new IllegalArgumentException(table + " has too many features: " + slot);
            }
        }
        width = (int) slot;
        targets = IntStream.range(0, roles.length).filter(this::isTarget).toArray();
        if (width == targetSlots().length + (owner == NONE ? 0 : 1)) {
            throw new IllegalArgumentException(
                    table
                            + " has no feature column: its columns are "
                            + listed()
                            + (label == NONE
                                    ? ", and targets names the others"
                                    : ", and the label is " + names.get(label)));
        }
    }

    private int slotsOf(int column) {
        return switch (roles[column]) {
            case NUMBER, TARGET -> lengths[column];
            case CATEGORY, OWNER -> 1;
            case LABEL, SKIPPED -> 0;
        };
    }

    private boolean isTarget(int column) {
        return roles[column] == Role.TARGET;
    }

    private void target(DatasetUri uri, String name) {
        if (uri.has("label")) {
            throw new IllegalArgumentException(
                    uri.text()
                            + " has label and targets, but a model learns only one: label is "
                            + "a column of classes, targets are columns of numbers");
        }
        int column = find(name, "targets");
        if (!isFree(column)) {
            throw new IllegalArgumentException(
                    "%s: the target's column %s cannot also be in %s"
                            .formatted(uri.text(), names.get(column), OTHERS.get(roles[column])));
        }
        roles[column] = Role.TARGET;
    }

    /** The only column that an option names; it must not have another role. */
    private int only(DatasetUri uri, String option) {
        int column = find(uri.options().get(option), option);
        if (!isFree(column)) {
            throw new IllegalArgumentException(
                    "%s: the %s's column %s cannot also be in %s"
                            .formatted(
                                    uri.text(),
                                    option,
                                    names.get(column),
                                    OTHERS.get(roles[column])));
        }
        return column;
    }

    private void checkNames() {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < names.size(); i++) {
            if (!seen.add(names.get(i))) {
                throw new IllegalArgumentException(
                        table + " has two columns with the name " + names.get(i));
            }
        }
    }

    private int label(DatasetUri uri) {
        if (uri.has("label")) {
            return only(uri, "label");
        }
        int usual = names.indexOf(USUAL_LABEL);
        if (usual >= 0 && roles[usual] == Role.NUMBER) {
            return usual;
        }
        for (int i = names.size() - 1; i >= 0; i--) {
            if (roles[i] == Role.NUMBER) {
                return i;
            }
        }
        throw new IllegalArgumentException(
                table + " has no column left for the label: ?label=COLUMN names it");
    }

    private void give(DatasetUri uri, Role role, String name) {
        int column = find(name, OTHERS.get(role));
        if (roles[column] != role && !isFree(column)) {
            throw new IllegalArgumentException(
                    "%s: the column %s cannot be in %s and in %s"
                            .formatted(
                                    uri.text(),
                                    names.get(column),
                                    OTHERS.get(roles[column]),
                                    OTHERS.get(role)));
        }
        roles[column] = role;
    }

    /** An unnamed column is skipped only until an option gives it a role. */
    private boolean isFree(int column) {
        return roles[column] == Role.NUMBER
                || roles[column] == Role.SKIPPED && names.get(column).isEmpty();
    }

    private int find(String column, String option) {
        int byName = names.indexOf(column);
        if (byName >= 0) {
            return byName;
        }
        try {
            int number = Integer.parseInt(column);
            if (number >= 1 && number <= names.size()) {
                return number - 1;
            }
        } catch (NumberFormatException e) {
            throw unknown(column, option, e);
        }
        throw unknown(column, option, null);
    }

    private IllegalArgumentException unknown(String column, String option, Exception cause) {
        return new IllegalArgumentException(
                "%s has no column %s, which %s names: its columns are %s"
                        .formatted(table, column, option, listed()),
                cause);
    }

    private String listed() {
        int most = 12;
        return names.size() <= most
                ? String.join(", ", names)
                : String.join(", ", names.subList(0, most)) + ", … (" + names.size() + ")";
    }

    /** Requires the same columns as in the training file. */
    void checkLike(TableColumns train) {
        if (!names.equals(train.names) || width != train.width) {
            throw new IllegalArgumentException(
                    "%s has the columns %s, but %s has %s"
                            .formatted(table, listed(), train.table, train.listed()));
        }
    }

    String table() {
        return table;
    }

    int count() {
        return roles.length;
    }

    String name(int column) {
        return names.get(column);
    }

    public Role role(int column) {
        return roles[column];
    }

    /** The column of the labels; −1 if there are targets. */
    int label() {
        return label;
    }

    /** The slot that holds the codes of owners; −1 if no column has them. */
    int ownerSlot() {
        return owner == NONE ? NONE : slots[owner];
    }

    /** The column of the owners; −1 if there is none. */
    int owner() {
        return owner;
    }

    /** The slots that hold targets, in the order of their columns; none if there are labels. */
    int[] targetSlots() {
        return Arrays.stream(targets)
                .flatMap(column -> IntStream.range(0, lengths[column]).map(i -> slots[column] + i))
                .toArray();
    }

    /** The name of each target: its column, with the index in a list. */
    List<String> targetNames() {
        return Arrays.stream(targets)
                .boxed()
                .flatMap(
                        column ->
                                IntStream.range(0, lengths[column])
                                        .mapToObj(
                                                i ->
                                                        lengths[column] == 1
                                                                ? names.get(column)
                                                                : names.get(column) + "." + i))
                .toList();
    }

    /** The first slot of a column. */
    int slot(int column) {
        return slots[column];
    }

    /** Length of a column's lists; 1 for a column without lists. */
    public int length(int column) {
        return lengths[column];
    }

    /** Number of slots in a row. */
    int width() {
        return width;
    }
}
