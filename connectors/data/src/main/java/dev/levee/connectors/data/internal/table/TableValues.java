package dev.levee.connectors.data.internal.table;

/**
 * Receives a table's values. The order of columns does not matter; the rows of a column come from
 * first to last.
 */
public interface TableValues {
    /**
     * Adds rows of zeros. Each value is then given once, or is {@link #missing}.
     *
     * @return the index of the first added row
     */
    int grow(long count);

    /**
     * True if a column holds names, such as categories. Whole numbers that a double may not hold
     * exactly come as text then.
     */
    boolean holdsNames(int column);

    /** Receives a text value. */
    void text(int row, int column, String text);

    /**
     * Receives a number; NaN is a missing value.
     *
     * @param at index in a list; 0 for columns without lists
     */
    void number(int row, int column, int at, double number);

    /** Receives a boolean value: features take it as a number, other roles as a name. */
    void truth(int row, int column, int at, boolean value);

    /** Receives a missing value. */
    void missing(int row, int column, int at);
}
