package dev.levee.gar;

/**
 * Rows of one block, wherever they lie: coordinate {@code i} of row {@code r} is {@code
 * arrays[r][from + i]}. So a block of whole gradients need not be cut out of them.
 *
 * @param arrays where each row lies, null where a row is missing; not changed
 * @param from where in each array the block begins
 */
public record BlockRows(float[][] arrays, int from) {
    /** Rows that have arrays of their own. */
    public BlockRows(float[][] arrays) {
        this(arrays, 0);
    }

    /** Number of rows, missing ones included. */
    public int count() {
        return arrays.length;
    }
}
