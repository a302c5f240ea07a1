package dev.levee.operators.flink.internal.records;

/**
 * The newest block that a gate has verified for one worker in one place.
 *
 * @param block the block, if it is the first server's; those of further ones, where each gets
 *     gradients of its own, are counted on
 * @param checksum of its frame
 * @param crc of its values: a worker that lost its memory may say the same again at another time
 */
public record VerifiedBlock(int worker, int block, long round, byte[] checksum, long crc) {}
