package dev.levee.gar.internal;

/**
 * The same coordinates of several rows, most often a chunk of each: coordinate {@code i} of row
 * {@code r} is {@code arrays[r][starts[r] + i]}. The arrays are the caller's, not copies.
 *
 * @param arrays where each row lies; there may be more arrays than rows in use
 * @param starts where in its array each row begins
 * @param length coordinates of each row
 */
public record Rows(float[][] arrays, int[] starts, int length) {}
