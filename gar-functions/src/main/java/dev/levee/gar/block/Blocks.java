package dev.levee.gar.block;

/**
 * The division of a vector into <em>blocks</em>, which are sent and stored separately, and of a
 * block into <em>chunks</em> of 4096 coordinates, over which sums are formed. Partial sums are
 * formed per chunk, then per block, then over blocks in order, so every layout over machines gives
 * the same bits.
 */
public final class Blocks {
    /**
     * Coordinates per block. A record of one block with its headers stays below Kafka's default
     * message limit of 1 MiB.
     */
    public static final int SIZE = 1 << 17;

    private Blocks() {}

    /** Number of blocks of a vector of {@code length} coordinates. */
    public static int count(int length) {
        return (length + SIZE - 1) / SIZE;
    }

    /** Length of block {@code block} of a vector of {@code length} coordinates. */
    public static int length(int block, int length) {
        return Math.min(SIZE, length - block * SIZE);
    }
}
