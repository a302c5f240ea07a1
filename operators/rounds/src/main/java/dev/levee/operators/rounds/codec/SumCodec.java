package dev.levee.operators.rounds.codec;

import dev.levee.gar.block.WeightedSum;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * Codec of partial sums. It returns the same digits, so that a sum has the same bits wherever its
 * parts were added up, and takes about 6 bytes a coordinate for the sum of a few gradients, which
 * takes 25 in memory.
 *
 * <p>After carries, a coordinate's digits are one integer of 128 bits. A byte tells how many
 * leading sign bytes and trailing zero bytes it has; only the bytes between them are written. The
 * two carries, which are small, follow for each chunk in as many bits as the largest needs. The
 * position of the highest digit is written as its distance from the largest position in its chunk,
 * in two bits if they suffice.
 *
 * @param carries false for a format without carries, which loses them
 */
record SumCodec(boolean carries) implements Codec<WeightedSum> {
    private static final int CHUNK = 4096;
    private static final int BYTES = 16;
    private static final long LOW = (1L << Integer.SIZE) - 1;

    /** Most bytes of a chunk: one for each coordinate's length, and all bytes of its integer. */
    private static final int LONGEST = CHUNK * (1 + BYTES);

    /** From this distance on, the position of a digit is written in a byte of its own. */
    private static final int FAR = 3;

    @Override
    public void write(WeightedSum sum, DataOutput out) throws IOException {
        out.writeInt(sum.length());
        byte[] bytes = new byte[LONGEST];
        long[] carriesToSecond = new long[CHUNK];
        long[] carriesToFirst = new long[CHUNK];
        for (int from = 0; from < sum.length(); from += CHUNK) {
            int to = Math.min(from + CHUNK, sum.length());
            writeTops(sum.top(), from, to, out);
            int length = 0;
            for (int i = from; i < to; i++) {
                long third = sum.digits()[2][i];
                long second = sum.digits()[1][i] + (third >> Integer.SIZE);
                long carry = second >> Integer.SIZE;
                carriesToSecond[i - from] = third >> Integer.SIZE;
                carriesToFirst[i - from] = carry;
                long low = second << Integer.SIZE | third & LOW;
                length = put(sum.digits()[0][i] + carry, low, bytes, length);
            }
            out.writeInt(length);
            out.write(bytes, 0, length);
            if (carries) {
                writeBits(carriesToSecond, to - from, out);
                writeBits(carriesToFirst, to - from, out);
            }
        }
        ArrayCodec.DOUBLES.writeNullable(sum.special(), out);
    }

    @Override
    public WeightedSum read(DataInput in) throws IOException {
        int length = in.readInt();
        long[][] digits = new long[3][length];
        byte[] top = new byte[length];
        byte[] bytes = new byte[LONGEST];
        long[] carriesToSecond = new long[CHUNK];
        long[] carriesToFirst = new long[CHUNK];
        for (int from = 0; from < length; from += CHUNK) {
            int to = Math.min(from + CHUNK, length);
            readTops(top, from, to, in);
            int used = in.readInt();
            if (used < 0 || used > LONGEST) {
                throw new IOException("a chunk of a sum has " + used + " bytes");
            }
            in.readFully(bytes, 0, used);
            int at = 0;
            for (int i = from; i < to; i++) {
                at = get(digits, i, bytes, at);
            }
            if (carries) {
                readBits(carriesToSecond, to - from, in);
                readBits(carriesToFirst, to - from, in);
            }
            for (int i = from; i < to; i++) {
                digits[2][i] += carriesToSecond[i - from] << Integer.SIZE;
                digits[1][i] +=
                        (carriesToFirst[i - from] << Integer.SIZE) - carriesToSecond[i - from];
                digits[0][i] -= carriesToFirst[i - from];
            }
        }
        return WeightedSum.of(digits, top, ArrayCodec.DOUBLES.readNullable(in));
    }

    /** Writes numbers of at most 32 bits in as many bits as the largest of them needs. */
    private static void writeBits(long[] values, int count, DataOutput out) throws IOException {
        int width = 0;
        for (int i = 0; i < count; i++) {
            long value = values[i];
            int bits = Long.SIZE - Long.numberOfLeadingZeros(value < 0 ? ~value : value) + 1;
            width = Math.max(width, value == 0 ? 0 : bits);
        }
        out.writeByte(width);
        byte[] packed = new byte[(count * width + Byte.SIZE - 1) / Byte.SIZE];
        long pending = 0;
        int bits = 0;
        int at = 0;
        for (int i = 0; i < count && width > 0; i++) {
            pending |= (values[i] & (1L << width) - 1) << bits;
            for (bits += width; bits >= Byte.SIZE; bits -= Byte.SIZE) {
                packed[at++] = (byte) pending;
                pending >>>= Byte.SIZE;
            }
        }
        if (bits > 0) {
            packed[at] = (byte) pending;
        }
        out.write(packed);
    }

    private static void readBits(long[] values, int count, DataInput in) throws IOException {
        int width = in.readByte();
        if (width < 0 || width > Integer.SIZE) {
            throw new IOException("a carry of a sum has " + width + " bits");
        }
        if (width == 0) {
            Arrays.fill(values, 0, count, 0);
            return;
        }
        byte[] packed = new byte[(count * width + Byte.SIZE - 1) / Byte.SIZE];
        in.readFully(packed);
        long pending = 0;
        int bits = 0;
        int at = 0;
        for (int i = 0; i < count; i++) {
            for (; bits < width; bits += Byte.SIZE) {
                pending |= (packed[at++] & 0xFFL) << bits;
            }
            values[i] = pending << Long.SIZE - width >> Long.SIZE - width;
            pending >>>= width;
            bits -= width;
        }
    }

    private static void writeTops(byte[] top, int from, int to, DataOutput out) throws IOException {
        int largest = 0;
        int far = 0;
        for (int i = from; i < to; i++) {
            largest = Math.max(largest, top[i]);
        }
        byte[] lacks = new byte[(to - from + 3) / 4];
        byte[] others = new byte[to - from];
        for (int i = from; i < to; i++) {
            int lack = Math.min(FAR, largest - top[i]);
            lacks[(i - from) / 4] |= (byte) (lack << 2 * ((i - from) % 4));
            if (lack == FAR) {
                others[far++] = top[i];
            }
        }
        out.writeByte(largest);
        out.write(lacks);
        out.write(others, 0, far);
    }

    private static void readTops(byte[] top, int from, int to, DataInput in) throws IOException {
        int largest = in.readByte();
        byte[] lacks = new byte[(to - from + 3) / 4];
        in.readFully(lacks);
        for (int i = from; i < to; i++) {
            int lack = lacks[(i - from) / 4] >> 2 * ((i - from) % 4) & FAR;
            top[i] = lack == FAR ? in.readByte() : (byte) (largest - lack);
        }
    }

    /**
     * Writes the integer of a coordinate: the first digit has 64 bits, the other two have 32 bits
     * each.
     */
    private static int put(long high, long low, byte[] bytes, int at) {
        int zeros = low == 0 ? Long.BYTES : Long.numberOfTrailingZeros(low) / Byte.SIZE;
        if (low == 0) {
            zeros += high == 0 ? Long.BYTES - 1 : Long.numberOfTrailingZeros(high) / Byte.SIZE;
        }
        long signs = high >> Long.SIZE - 1;
        boolean tall = high != signs || low >> Long.SIZE - 1 != signs;
        int leading = tall ? signBytes(high) : Long.BYTES + signBytes(low);
        int length = Math.max(0, BYTES - leading - zeros);
        bytes[at++] = (byte) (zeros << 4 | length);
        for (int b = zeros; b < zeros + length; b++) {
            bytes[at++] =
                    (byte)
                            (b < Long.BYTES
                                    ? low >> Byte.SIZE * b
                                    : high >> Byte.SIZE * (b - Long.BYTES));
        }
        return at;
    }

    /** Number of leading bytes that only extend the sign of the next byte; at most 7. */
    private static int signBytes(long value) {
        int bits = Long.numberOfLeadingZeros(value < 0 ? ~value : value) - 1;
        return Math.min(Long.BYTES - 1, bits / Byte.SIZE);
    }

    private static int get(long[][] digits, int i, byte[] bytes, int at) throws IOException {
        int zeros = bytes[at] >> 4 & BYTES - 1;
        int length = bytes[at] & BYTES - 1;
        if (zeros + length > BYTES) {
            throw new IOException("a coordinate of a sum has " + (zeros + length) + " bytes");
        }
        long sign = length > 0 && bytes[at + length] < 0 ? -1 : 0;
        long low = 0;
        long high = 0;
        for (int b = BYTES - 1; b >= 0; b--) {
            long each =
                    b < zeros
                            ? 0
                            : b < zeros + length ? bytes[at + 1 + b - zeros] & 0xFF : sign & 0xFF;
            if (b < Long.BYTES) {
                low = low << Byte.SIZE | each;
            } else {
                high = high << Byte.SIZE | each;
            }
        }
        digits[0][i] = high;
        digits[1][i] = low >>> Integer.SIZE;
        digits[2][i] = low & LOW;
        return at + 1 + length;
    }
}
