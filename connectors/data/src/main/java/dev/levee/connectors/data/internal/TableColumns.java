package dev.levee.connectors.data.internal;

import dev.levee.connectors.data.DatasetUri;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The columns of a table, and what each is for. A column of numbers or categories takes one slot of
 * a row, a column of lists one slot for each place in a list.
 */
final class TableColumns {
    /** What a column is for. */
    enum Role {
        LABEL,
        NUMBER,
        CATEGORY,
        SKIPPED
    }

    private static final String USUAL_LABEL = "label";

    private final String table;
    private final List<String> names;
    private final Role[] roles;
    private final int[] lengths;
    private final int[] slots;
    private final int width;
    private final int label;

    /**
     * Reads what an address says of its columns: {@code label}, {@code skip} and {@code
     * categories}, which name a column or give its number from 1.
     *
     * @param table for messages
     * @param names of the columns; numbers from 1 where they have none
     * @param lengths of the lists in each column; 1 where there are none
     * @throws IllegalArgumentException if a column is not there, or there is no feature; one
     *     sentence
     */
    TableColumns(DatasetUri uri, String table, List<String> names, int[] lengths) {
        this.table = table;
        this.names = names;
        this.lengths = lengths;
        checkNames();
        roles = new Role[names.size()];
        Arrays.fill(roles, Role.NUMBER);
        uri.names("skip").forEach(name -> give(Role.SKIPPED, name, "skip"));
        uri.names("categories").forEach(name -> give(Role.CATEGORY, name, "categories"));
        label = label(uri);
        roles[label] = Role.LABEL;
        slots = new int[roles.length];
        long slot = 0;
        for (int i = 0; i < roles.length; i++) {
            slots[i] = (int) slot;
            slot += roles[i] == Role.NUMBER ? lengths[i] : roles[i] == Role.CATEGORY ? 1 : 0;
            if (slot > Integer.MAX_VALUE / 8) {
                throw new IllegalArgumentException(table + " has too many features: " + slot);
            }
        }
        width = (int) slot;
        if (width == 0) {
            throw new IllegalArgumentException(
                    table
                            + " has no column of features: its columns are "
                            + listed()
                            + ", and the label is "
                            + names.get(label));
        }
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
            int column = find(uri.options().get("label"), "label");
            if (roles[column] != Role.NUMBER) {
                throw new IllegalArgumentException(
                        "%s: the label's column %s cannot be among %s too"
                                .formatted(
                                        uri.text(),
                                        names.get(column),
                                        roles[column] == Role.SKIPPED ? "skip" : "categories"));
            }
            return column;
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

    private void give(Role role, String name, String option) {
        roles[find(name, option)] = role;
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

    /** Requires the columns of the training file. */
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

    Role role(int column) {
        return roles[column];
    }

    /** Which column holds the labels. */
    int label() {
        return label;
    }

    /** The first slot of a column. */
    int slot(int column) {
        return slots[column];
    }

    /** Places of a column's lists; 1 if it has none. */
    int length(int column) {
        return lengths[column];
    }

    /** Slots of a row. */
    int width() {
        return width;
    }
}
