package dev.levee.connectors.data.internal.table;

/** Takes a table's values, in any order of columns, from the first row of a column to its last. */
public interface TableValues {
    /** Adds rows; the first of them. */
    int grow(long count);

    /** A value that is text. */
    void text(int row, int column, String text);

    /**
     * A value that is a number; NaN is one that is missing.
     *
     * @param at place in a list, 0 where there is none
     */
    void number(int row, int column, int at, double number);

    /** A value that is true or false: a number as a feature, else a name. */
    void truth(int row, int column, int at, boolean value);

    /** A value that is not there. */
    void missing(int row, int column, int at);
}
