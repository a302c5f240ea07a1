package dev.levee.gar;

import java.nio.FloatBuffer;
import java.util.List;

/**
 * Rows outside the heap, such as the matrix of a program in another language that this JVM runs in.
 * They are read block by block, so they are never copied as a whole. Immutable, unless the owner of
 * the memory changes it.
 *
 * @param rows n rows; a row is what remains of its buffer, d coordinates each
 */
public record BufferRows(List<FloatBuffer> rows) {
    /**
     * Checks the rows.
     *
     * @throws IllegalArgumentException if they differ in length
     */
    public BufferRows {
        rows = rows.stream().map(FloatBuffer::slice).toList();
        for (int i = 1; i < rows.size(); i++) {
            if (rows.get(i).capacity() != rows.get(0).capacity()) {
                throw new IllegalArgumentException(
                        "all rows must have %d coordinates, row %d has %d"
                                .formatted(rows.get(0).capacity(), i, rows.get(i).capacity()));
            }
        }
    }

    /** Number of rows, n. */
    public int count() {
        return rows.size();
    }

    /** Coordinates of each row, d; 0 without rows. */
    public int length() {
        return rows.isEmpty() ? 0 : rows.get(0).capacity();
    }

    /**
     * Reads a range of coordinates of one row.
     *
     * @param row which row
     * @param from first coordinate
     * @param length number of coordinates
     * @param to receives them
     * @param at the index of the first one
     */
    public void read(int row, int from, int length, float[] to, int at) {
        rows.get(row).get(from, to, at, length);
    }

    /** Copies the rows into arrays. */
    public float[][] toArrays() {
        float[][] arrays = new float[count()][length()];
        for (int row = 0; row < arrays.length; row++) {
            read(row, 0, length(), arrays[row], 0);
        }
        return arrays;
    }
}
