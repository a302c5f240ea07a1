package dev.levee.jobs.internal.tracking;

import static org.assertj.core.api.Assertions.assertThat;

import org.tensorflow.util.Event;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads an event file with TensorFlow's own messages, and with checksums computed bit by bit from
 * the polynomial.
 */
final class EventRecords {
    private static final int CASTAGNOLI = 0x82f63b78;

    private EventRecords() {}

    static List<Event> read(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        List<Event> events = new ArrayList<>();
        while (bytes.hasRemaining()) {
            byte[] length = new byte[8];
            bytes.get(bytes.position(), length);
            byte[] data = new byte[Math.toIntExact(bytes.getLong())];
            assertThat(bytes.getInt()).isEqualTo(masked(length));
            bytes.get(data);
            assertThat(bytes.getInt()).isEqualTo(masked(data));
            events.add(Event.parseFrom(data));
        }
        return events;
    }

    /** The rotation of TensorFlow's {@code crc32c.h}. */
    static int masked(byte[] bytes) {
        int crc = crc32c(bytes);
        return (crc >>> 15 | crc << 17) + 0xa282ead8;
    }

    static int crc32c(byte[] bytes) {
        int crc = -1;
        for (byte each : bytes) {
            crc ^= each & 0xff;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 1) != 0 ? crc >>> 1 ^ CASTAGNOLI : crc >>> 1;
            }
        }
        return ~crc;
    }
}
