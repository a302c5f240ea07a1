package dev.levee.operators.flink.internal.records;

/**
 * The newest block that a gate has verified for one worker and one block index.
 *
 * @param block index of the block; if servers get gradients of their own, blocks are numbered
 *     consecutively over servers
 * @param checksum checksum of its frame
 * @param crc CRC of its values, because a restarted worker may send the same values again at
 *     another time
 */
public record VerifiedBlock(int worker, int block, long round, byte[] checksum, long crc) {}
