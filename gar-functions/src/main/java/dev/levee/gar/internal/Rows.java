package dev.levee.gar.internal;

/**
 * The same coordinates of several rows, usually a chunk: coordinate {@code i} of row {@code r} is
 * {@code arrays[r][starts[r] + i]}. The arrays belong to the caller.
 *
 * @param arrays the array of each row; there may be more arrays than rows
 * @param starts start of each row in its array
 * @param length coordinates of each row
 */
public record Rows(float[][] arrays, int[] starts, int length) {}
