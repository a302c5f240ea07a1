package dev.levee.operators.testing.fuzz;

import dev.levee.connectors.kafka.wire.Frame;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Makes records that an attacker without keys, or a broken disk, could write to a topic: frames
 * with flipped bits or extreme fields; cut, extended or spliced frames; and noise. Some have a
 * corrected checksum.
 */
final class Mutator {
    private static final int CHECKSUM = 88;
    private static final int SIGNATURE = 120;
    private static final int HEADER = Frame.HEADER;
    private static final int LENGTH = 52;

    /** Offset and size of each field before the checksum. */
    private static final int[][] FIELDS = {
        {0, 4},
        {4, 1},
        {5, 1},
        {6, 2},
        {8, 8},
        {16, 8},
        {24, 4},
        {28, 4},
        {32, 4},
        {36, 4},
        {40, 8},
        {48, 4},
        {LENGTH, 4},
        {56, 8},
        {64, 8},
        {72, 8},
        {80, 8}
    };

    private static final long[] EXTREMES = {
        0,
        1,
        2,
        3,
        -1,
        HEADER,
        -HEADER,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        Integer.MAX_VALUE / 4,
        1L << 30,
        Long.MAX_VALUE,
        Long.MIN_VALUE
    };

    private static final int[] SEAMS = {0, 4, 8, 24, 56, CHECKSUM, SIGNATURE, HEADER};
    private static final int MOST_NOISE = 400;

    private final List<byte[]> frames;
    private final SplittableRandom random;

    /**
     * Creates a mutator.
     *
     * @param frames the frames to start from; not changed
     */
    Mutator(List<byte[]> frames, SplittableRandom random) {
        this.frames = frames;
        this.random = random;
    }

    /** A record that differs from all frames. */
    byte[] next() {
        byte[] record;
        do {
            record = random.nextInt(16) == 0 ? noise() : mutated();
        } while (genuine(record));
        return record;
    }

    private boolean genuine(byte[] record) {
        return frames.stream().anyMatch(frame -> Arrays.equals(frame, record));
    }

    private byte[] frame() {
        return frames.get(random.nextInt(frames.size())).clone();
    }

    private byte[] mutated() {
        byte[] record = frame();
        for (int times = 1 + random.nextInt(3); times > 0; times--) {
            record = once(record);
        }
        if (random.nextInt(64) == 0) {
            seal(record);
        }
        return record;
    }

    private byte[] once(byte[] record) {
        return switch (random.nextInt(8)) {
            case 0, 1 -> flipped(record);
            case 2, 3 -> overwritten(record);
            case 4 -> Arrays.copyOf(record, random.nextInt(record.length + 1));
            case 5 -> extended(record);
            case 6 -> spliced(record, frame());
            default -> random.nextInt(4) == 0 ? otherSignature(record) : swapped(record, frame());
        };
    }

    private byte[] flipped(byte[] record) {
        for (int bits = 1 + random.nextInt(4); bits > 0 && record.length > 0; bits--) {
            record[random.nextInt(record.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return record;
    }

    /** Writes an extreme value into a field, or a length that matches the record. */
    private byte[] overwritten(byte[] record) {
        if (record.length < HEADER) {
            return record;
        }
        ByteBuffer bytes = ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN);
        if (random.nextInt(8) == 0) {
            int values = record.length - HEADER;
            bytes.putInt(LENGTH, random.nextBoolean() ? values : values / Float.BYTES);
            return record;
        }
        int[] field = FIELDS[random.nextInt(FIELDS.length)];
        long value =
                random.nextInt(8) == 0
                        ? random.nextLong()
                        : EXTREMES[random.nextInt(EXTREMES.length)];
        switch (field[1]) {
            case Byte.BYTES -> bytes.put(field[0], (byte) value);
            case Short.BYTES -> bytes.putShort(field[0], (short) value);
            case Integer.BYTES -> bytes.putInt(field[0], (int) value);
            default -> bytes.putLong(field[0], value);
        }
        return record;
    }

    private byte[] extended(byte[] record) {
        byte[] longer = Arrays.copyOf(record, record.length + 1 + random.nextInt(64));
        if (random.nextBoolean()) {
            fill(longer, record.length);
        }
        return longer;
    }

    /** Joins the beginning of one record and the end of another. */
    private byte[] spliced(byte[] head, byte[] tail) {
        int seam =
                random.nextBoolean()
                        ? SEAMS[random.nextInt(SEAMS.length)]
                        : random.nextInt(head.length + 1);
        int cut = Math.min(seam, Math.min(head.length, tail.length));
        byte[] spliced = tail.clone();
        System.arraycopy(head, 0, spliced, 0, cut);
        return spliced;
    }

    /** Replaces a range of one record by the same range of another. */
    private byte[] swapped(byte[] record, byte[] other) {
        int from = SEAMS[random.nextInt(SEAMS.length - 1)];
        int to = Math.min(SEAMS[SEAMS.length - 1], Math.min(record.length, other.length));
        if (from < to) {
            System.arraycopy(other, from, record, from, 1 + random.nextInt(to - from));
        }
        return record;
    }

    private byte[] otherSignature(byte[] record) {
        for (int i = SIGNATURE; i < Math.min(HEADER, record.length); i++) {
            record[i] = (byte) random.nextInt();
        }
        return record;
    }

    /** Random bytes; half of the records begin like a frame. */
    private byte[] noise() {
        byte[] noise = new byte[random.nextInt(MOST_NOISE)];
        fill(noise, 0);
        if (random.nextBoolean()) {
            byte[] frame = frame();
            System.arraycopy(frame, 0, noise, 0, Math.min(noise.length, 8));
        }
        return noise;
    }

    private void fill(byte[] bytes, int from) {
        byte[] noise = new byte[bytes.length - from];
        random.nextBytes(noise);
        System.arraycopy(noise, 0, bytes, from, noise.length);
    }

    /** Corrects the checksum, as anyone can compute one. */
    private static void seal(byte[] record) {
        if (record.length < HEADER) {
            return;
        }
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(record, 0, CHECKSUM);
            digest.update(record, HEADER, record.length - HEADER);
            System.arraycopy(digest.digest(), 0, record, CHECKSUM, SIGNATURE - CHECKSUM);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
