package dev.levee.jobs.internal.tracking;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.zip.CRC32C;

/**
 * A file of scalars in TensorBoard's format: TFRecords, each of which is an {@code Event} of
 * TensorFlow's {@code event.proto}. A record consists of the length of its data (8 bytes), the
 * checksum of that length (4), the data, and their checksum (4), all little-endian. A checksum is
 * CRC-32C, rotated right by 15 bits, plus {@code 0xa282ead8}.
 */
final class EventFile implements AutoCloseable {
    private static final int MASK = 0xa282ead8;
    private static final String VERSION = "brain.Event:2";

    /** Field numbers of {@code Event}, {@code Summary} and {@code Summary.Value}. */
    private static final int WALL_TIME = 1;

    private static final int STEP = 2;
    private static final int FILE_VERSION = 3;
    private static final int SUMMARY = 5;
    private static final int VALUE = 1;
    private static final int TAG = 1;
    private static final int SIMPLE_VALUE = 2;

    /** Wire types of protocol buffers. */
    private static final int VARINT = 0;

    private static final int FIXED64 = 1;
    private static final int BYTES = 2;
    private static final int FIXED32 = 5;

    private final OutputStream out;

    private EventFile(OutputStream out) {
        this.out = out;
    }

    /**
     * Creates a new file in a directory, which is created if needed.
     *
     * @throws IOException if a file of the same second exists, or the file cannot be written
     */
    static EventFile create(Path directory, Instant now) throws IOException {
        Files.createDirectories(directory);
        // Readers process the files of a directory in the order of their names.
        String name =
                "events.out.tfevents.%010d.%s.%d"
                        .formatted(now.getEpochSecond(), host(), ProcessHandle.current().pid());
        Path path = directory.resolve(name);
        EventFile file = new EventFile(Files.newOutputStream(path, StandardOpenOption.CREATE_NEW));
        try {
            file.write(event(now).bytes(FILE_VERSION, VERSION.getBytes(StandardCharsets.UTF_8)));
            return file;
        } catch (IOException e) {
            file.close();
            Files.delete(path);
            throw e;
        }
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    /** Adds a scalar; skips a value that is not finite. */
    void scalar(String tag, double value, long step, Instant when) throws IOException {
        if (!Double.isFinite(value)) {
            return;
        }
        Message one =
                new Message()
                        .bytes(TAG, tag.getBytes(StandardCharsets.UTF_8))
                        .fixed32(SIMPLE_VALUE, Float.floatToIntBits((float) value));
        Message summary = new Message().bytes(VALUE, one.toByteArray());
        write(event(when).varint(STEP, step).bytes(SUMMARY, summary.toByteArray()));
    }

    private static Message event(Instant when) {
        double seconds = when.getEpochSecond() + when.getNano() / 1e9;
        return new Message().fixed64(WALL_TIME, Double.doubleToLongBits(seconds));
    }

    private void write(Message event) throws IOException {
        byte[] data = event.toByteArray();
        byte[] length = littleEndian(Long.BYTES).putLong(data.length).array();
        ByteBuffer record = littleEndian(Long.BYTES + Integer.BYTES + data.length + Integer.BYTES);
        record.put(length).putInt(checksum(length)).put(data).putInt(checksum(data));
        out.write(record.array()); // written at once, for concurrent readers
    }

    private static ByteBuffer littleEndian(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int checksum(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return Integer.rotateRight((int) crc.getValue(), 15) + MASK;
    }

    @Override
    public void close() throws IOException {
        out.close();
    }

    /** Builds a protocol buffer message field by field. */
    private static final class Message {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Message varint(int field, long value) {
            tag(field, VARINT);
            number(value);
            return this;
        }

        Message fixed64(int field, long bits) {
            tag(field, FIXED64);
            bytes.writeBytes(littleEndian(Long.BYTES).putLong(bits).array());
            return this;
        }

        Message fixed32(int field, int bits) {
            tag(field, FIXED32);
            bytes.writeBytes(littleEndian(Integer.BYTES).putInt(bits).array());
            return this;
        }

        Message bytes(int field, byte[] value) {
            tag(field, BYTES);
            number(value.length);
            bytes.writeBytes(value);
            return this;
        }

        private void tag(int field, int type) {
            number((long) field << 3 | type);
        }

        /** Writes a varint: seven bits at a time, the lowest first. */
        private void number(long value) {
            long rest = value;
            while ((rest & ~0x7fL) != 0) {
                bytes.write((int) (rest & 0x7f | 0x80));
                rest >>>= 7;
            }
            bytes.write((int) rest);
        }

        byte[] toByteArray() {
            return bytes.toByteArray();
        }
    }
}
