package dev.levee.gar.internal;

/**
 * The same coordinates of several rows, usually a chunk: coordinate {@code i} of row {@code r} is
 * {@code arrays[r][starts[r] + i]}. The arrays are the caller's.
 *
 * @param arrays the array of each row; there may be more arrays than rows
 * @param starts start of each row in its array
 * @param length coordinates of each row
 */
public record Rows(float[][] arrays, int[] starts, int length) {
    /** A range of the coordinates. */
    Rows part(int from, int coordinates) {
        int[] shifted = new int[starts.length];
        for (int r = 0; r < shifted.length; r++) {
            shifted[r] = starts[r] + from;
        }
        return new Rows(arrays, shifted, coordinates);
    }
}
