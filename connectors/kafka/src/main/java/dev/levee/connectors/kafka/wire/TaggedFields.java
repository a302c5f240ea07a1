package dev.levee.connectors.kafka.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads and writes the section of tagged fields after the values of a frame. It starts with the
 * length of the fields (int32). Each field has its tag (uint16), the length of its value (int32)
 * and its value, little-endian, with ascending tags. Settings and optional parts of frames are
 * written this way. Readers skip unknown tags.
 */
final class TaggedFields {
    private static final int FIELD_HEADER = Short.BYTES + Integer.BYTES;

    private TaggedFields() {}

    /** Appends a field to a section. */
    static byte[] with(byte[] section, int tag, byte[] value) {
        int size = section.length + FIELD_HEADER + value.length;
        return little(size)
                .put(section)
                .putShort((short) tag)
                .putInt(value.length)
                .put(value)
                .putInt(0, size - Integer.BYTES)
                .array();
    }

    /** Describes an error in the section that starts at {@code offset}; null if there is none. */
    static String flaw(ByteBuffer record, int offset) {
        int at = offset + Integer.BYTES;
        if (at > record.capacity() || record.getInt(offset) != record.capacity() - at) {
            return "fields of another length than they claim";
        }
        int last = 0;
        while (at < record.capacity()) {
            if (record.capacity() - at < FIELD_HEADER) {
                return "fields that end too early";
            }
            int tag = Short.toUnsignedInt(record.getShort(at));
            int length = record.getInt(at + Short.BYTES);
            at += FIELD_HEADER;
            if (tag <= last || length < 0 || length > record.capacity() - at) {
                return "field " + tag + " is out of place";
            }
            last = tag;
            at += length;
        }
        return null;
    }

    /** The value of a field in a section without a {@link #flaw}; null if the field is absent. */
    static ByteBuffer find(ByteBuffer record, int offset, int tag) {
        int at = offset + Integer.BYTES;
        while (at < record.capacity()) {
            int length = record.getInt(at + Short.BYTES);
            if (Short.toUnsignedInt(record.getShort(at)) == tag) {
                return record.slice(at + FIELD_HEADER, length).order(ByteOrder.LITTLE_ENDIAN);
            }
            at += FIELD_HEADER + length;
        }
        return null;
    }

    static ByteBuffer little(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }
}
