package dev.levee.gar.block;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.List;

/**
 * Rows outside the heap, such as a matrix of a program in another language that embeds this JVM.
 * They are read block by block, so they are never copied as a whole. Immutable, unless the owner of
 * the memory changes its contents.
 */
public final class BufferRows {
    private final List<FloatBuffer> rows;
    private final List<ByteBuffer> memory;

    /**
     * Rows of floats.
     *
     * @param rows n buffers; the remaining d floats of each buffer are a row
     * @throws IllegalArgumentException if they differ in length
     */
    public BufferRows(List<FloatBuffer> rows) {
        this(rows.stream().map(FloatBuffer::slice).toList(), List.of());
    }

    private BufferRows(List<FloatBuffer> rows, List<ByteBuffer> memory) {
        this.rows = rows;
        this.memory = memory;
        for (int i = 1; i < rows.size(); i++) {
            if (rows.get(i).capacity() != rows.get(0).capacity()) {
                throw new IllegalArgumentException(
                        "all rows must have %d coordinates, row %d has %d"
                                .formatted(rows.get(0).capacity(), i, rows.get(i).capacity()));
            }
        }
    }

    /**
     * Rows of floats in the machine's byte order, which kernels can also read without a copy.
     *
     * @param rows n buffers; the remaining bytes of each buffer are a row of d floats
     * @throws IllegalArgumentException if they differ in length
     */
    public static BufferRows ofBytes(List<ByteBuffer> rows) {
        List<ByteBuffer> memory =
                rows.stream().map(row -> row.slice().order(ByteOrder.nativeOrder())).toList();
        boolean outside = memory.stream().allMatch(ByteBuffer::isDirect);
        return new BufferRows(
                memory.stream().map(ByteBuffer::asFloatBuffer).toList(),
                outside ? memory : List.of());
    }

    /**
     * The memory of each row, from its first coordinate on. Empty if the rows are not direct byte
     * buffers.
     */
    public List<ByteBuffer> memory() {
        return memory;
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
     * @param row index of the row
     * @param from first coordinate
     * @param length number of coordinates
     * @param to receives the coordinates
     * @param at index in {@code to} of the first coordinate
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
