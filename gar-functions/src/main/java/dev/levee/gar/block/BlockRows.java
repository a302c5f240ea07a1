package dev.levee.gar.block;

/**
 * Rows of one block within larger arrays: coordinate {@code i} of row {@code r} is {@code
 * arrays[r][from + i]}. Blocks therefore need not be copied out of whole gradients.
 *
 * @param arrays the array of each row, null for missing rows; not changed
 * @param from start of the block in each array
 */
public record BlockRows(float[][] arrays, int from) {
    /** Rows in separate arrays. */
    public BlockRows(float[][] arrays) {
        this(arrays, 0);
    }

    /** Number of rows, missing ones included. */
    public int count() {
        return arrays.length;
    }
}
