package dev.levee.operators.rounds.vector;

import dev.levee.gar.block.Blocks;
import dev.levee.learners.Layout;

import java.io.Serializable;
import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * The division of the flat vector into blocks.
 *
 * @param dimension length of the flat vector
 * @param trainable number of coordinates that are stepped; they come first, and the rest are
 *     buffers
 * @param blockSize coordinates per block, the last one may be shorter
 */
public record Slices(int dimension, int trainable, int blockSize) implements Serializable {
    /** The slices of a model. */
    public static Slices of(Layout layout) {
        return new Slices(layout.size(), layout.trainable(), Blocks.SIZE);
    }

    /** Number of blocks. */
    public int count() {
        return (dimension + blockSize - 1) / blockSize;
    }

    /** First coordinate of a block. */
    public int offset(int block) {
        return block * blockSize;
    }

    /** Length of a block. */
    public int length(int block) {
        return Math.min(blockSize, dimension - offset(block));
    }

    /** Number of a block's coordinates that are stepped; they come first. */
    public int trainable(int block) {
        return Math.max(0, Math.min(length(block), trainable - offset(block)));
    }

    /** A block of a whole vector, copied. */
    public float[] cut(float[] vector, int block) {
        return Arrays.copyOfRange(vector, offset(block), offset(block) + length(block));
    }

    /** The whole vector of these blocks. */
    public float[] whole(IntFunction<float[]> blocks) {
        float[] vector = new float[dimension];
        for (int block = 0; block < count(); block++) {
            put(blocks.apply(block), block, vector);
        }
        return vector;
    }

    /** Writes a block into a whole vector. */
    public void put(float[] values, int block, float[] vector) {
        System.arraycopy(values, 0, vector, offset(block), values.length);
    }
}
