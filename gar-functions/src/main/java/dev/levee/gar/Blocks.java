package dev.levee.gar;

/**
 * How a vector is cut: into <em>blocks</em>, which travel and are kept apart, and a block into
 * <em>chunks</em> of 4096 coordinates, over each of which sums are formed. Whatever takes more or
 * fewer coordinates at a time counts them, or takes so many blocks or chunks. The size is part of
 * every sum's definition: partial sums are formed per chunk, then per block, then over blocks in
 * order, so every layout over machines gives the same bits.
 */
public final class Blocks {
    /**
     * Coordinates per block: with headers a record stays below Kafka's default message limit of 1
     * MiB.
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
