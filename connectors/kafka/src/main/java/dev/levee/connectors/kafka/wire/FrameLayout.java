package dev.levee.connectors.kafka.wire;

import dev.levee.learners.Score;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.codec.Codecs;

import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * The positions of a {@link Frame}'s parts, and checks of a record's layout. Checks allocate no
 * memory for sizes that the record merely claims.
 */
final class FrameLayout {
    /** Number of bytes before the values. */
    static final int HEADER = 200;

    /** Values are float32; the length counts floats. */
    static final int FLOAT32 = 0;

    /** Values are masked integers of 32 bits; the length counts integers. */
    static final int MASKED = 2;

    /** Values are bytes; the length counts bytes. */
    static final int BYTES = 1;

    /**
     * Field of a model: the number of workers that share the data (int32). Tags from 256 are fields
     * of the wire format, after all settings.
     */
    static final int PARTICIPANTS = 256;

    /** Field of a model: the worker that is to evaluate versions (int32). */
    static final int EVALUATOR = 257;

    /** Field of a model: the work of participants, one line per option (UTF-8). */
    static final int WORK = 258;

    /** Field of a model of one of several servers: the description of all servers (UTF-8). */
    static final int SERVERS = 259;

    /** Maximum bytes of fields in scores. */
    static final int MOST_SCORE_BYTES = 1024;

    /** Field of a gradient: its weight (float64). */
    static final int WEIGHT = 1;

    /** Field of a contribution's first block: scores of models on the device's samples. */
    static final int LOCAL_SCORE = 2;

    /**
     * Bytes of that field: number of samples and tag of the score (int32 each), then four float64.
     */
    static final int LOCAL_SCORE_BYTES = 2 * Integer.BYTES + 4 * Double.BYTES;

    static final int MAGIC = 0x4556454C; // "LEVE" read as a little-endian int
    static final byte VERSION = 2;

    /**
     * The version of models of several servers. With version 2, older readers would treat them as
     * contradictory blocks of one model.
     */
    static final byte OF_SERVERS = 3;

    static final int CHECKSUM = 88;
    static final int CHECKSUM_LENGTH = 32;
    static final int SIGNATURE = CHECKSUM + CHECKSUM_LENGTH;
    static final int SIGNATURE_LENGTH = 64;
    static final int TAG = SIGNATURE + SIGNATURE_LENGTH;

    private static final Optional<FrameKind> MODEL = Optional.of(FrameKind.MODEL);

    private FrameLayout() {}

    /** Describes an error in the layout of a record, in a few words; null if there is none. */
    static String flaw(byte[] record) {
        if (record == null) {
            return "no value";
        }
        if (record.length < HEADER) {
            return record.length + " bytes, fewer than the header has";
        }
        ByteBuffer bytes = ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.getInt(0) != MAGIC) {
            return "does not begin with LEVE";
        }
        Optional<FrameKind> kind = FrameKind.of(record[5]);
        if (record[4] != VERSION && !ofServers(record)) {
            return "protocol version " + (record[4] & 0xFF) + ", this is version " + VERSION;
        }
        if (kind.isEmpty()) {
            return "unknown kind " + (record[5] & 0xFF);
        }
        int encoding = bytes.getShort(6);
        boolean masked = encoding == MASKED && kind.get() == FrameKind.GRADIENT;
        if (!masked && encoding != (kind.get().ofBytes() ? BYTES : FLOAT32)) {
            return "unknown encoding " + (encoding & 0xFFFF);
        }
        int block = bytes.getInt(32);
        int blocks = bytes.getInt(48);
        if (block < 0 || block >= blocks) {
            return "block " + block + " of " + blocks;
        }
        if (bytes.getLong(16) < 0) {
            return "round " + bytes.getLong(16);
        }
        int length = bytes.getInt(52);
        long size = encoding == BYTES ? length : (long) length * Float.BYTES;
        long behind = record.length - HEADER - size;
        if (length < 0 || behind < 0 || behind > 0 && kind.get().ofBytes()) {
            return "claims " + length + " values and has " + (record.length - HEADER) + " bytes";
        }
        int fields = HEADER + (int) size;
        return switch (kind.get()) {
            case MODEL -> settingsFlaw(bytes, fields);
            case GRADIENT -> behind == 0 ? null : gradientFlaw(bytes, fields);
            case STATE -> null;
            case SUM -> blocks == 1 ? null : "a message in " + blocks + " blocks";
            case SCORES -> scoresFlaw(bytes, length, blocks, fields);
        };
    }

    private static boolean ofServers(byte[] record) {
        return record[4] == OF_SERVERS && FrameKind.of(record[5]).equals(MODEL);
    }

    /**
     * Checks a gradient's fields. Every record has exactly one valid layout, so a gradient without
     * fields must not have an empty section.
     */
    private static String gradientFlaw(ByteBuffer record, int offset) {
        if (record.capacity() - offset == Integer.BYTES && record.getInt(offset) == 0) {
            return "fields that are none";
        }
        String flaw = fieldsFlaw(record, offset, WEIGHT, Double.BYTES);
        return flaw != null ? flaw : fieldsFlaw(record, offset, LOCAL_SCORE, LOCAL_SCORE_BYTES);
    }

    private static String fieldsFlaw(ByteBuffer record, int offset, int tag, int size) {
        String flaw = TaggedFields.flaw(record, offset);
        if (flaw == null) {
            ByteBuffer value = TaggedFields.find(record, offset, tag);
            flaw =
                    value == null || value.capacity() == size
                            ? null
                            : "field " + tag + " of " + value.capacity() + " bytes";
        }
        return flaw;
    }

    private static String scoresFlaw(ByteBuffer record, int length, int blocks, int offset) {
        if (length != 0 || blocks != 1) {
            return "scores of " + length + " values in " + blocks + " blocks";
        }
        int size = record.capacity() - offset;
        if (size > MOST_SCORE_BYTES) {
            return size + " bytes of scores, more than " + MOST_SCORE_BYTES;
        }
        String flaw = null;
        for (int tag = 1; tag <= Score.values().length && flaw == null; tag++) {
            flaw = fieldsFlaw(record, offset, tag, Double.BYTES);
        }
        return flaw;
    }

    /** The tag of a score's field, part of the protocol. */
    static int tag(Score score) {
        return switch (score) {
            case ACCURACY -> 1;
            case AUC -> 2;
            case F1 -> 3;
            case RMSE -> 4;
            case MAE -> 5;
            case R2 -> 6;
        };
    }

    private static String settingsFlaw(ByteBuffer record, int offset) {
        int has = record.capacity() - offset - Integer.BYTES;
        if (has < 0 || record.getInt(offset) != has) {
            return "settings of another length than they claim";
        }
        try {
            settings(record.array(), offset);
            String flaw = fieldsFlaw(record, offset, PARTICIPANTS, Integer.BYTES);
            flaw = flaw != null ? flaw : fieldsFlaw(record, offset, EVALUATOR, Integer.BYTES);
            return flaw != null ? flaw : serversFlaw(record, offset);
        } catch (UncheckedIOException e) {
            return e.getCause().getMessage();
        }
    }

    private static String serversFlaw(ByteBuffer record, int offset) {
        if (record.get(4) == VERSION) {
            return null;
        }
        ByteBuffer text = TaggedFields.find(record, offset, SERVERS);
        Optional<ToldServers> told =
                text == null
                        ? Optional.empty()
                        : ToldServers.of(StandardCharsets.UTF_8.decode(text).toString());
        int server = record.getInt(24);
        return told.isEmpty() || server < 0 || server >= told.get().servers()
                ? "a model of a server that does not say which servers there are"
                : null;
    }

    /**
     * The protocol version of a frame with another version than this; 0 if the record is no such
     * frame.
     */
    static int otherVersion(byte[] record) {
        boolean frame =
                record != null
                        && record.length >= HEADER
                        && ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN).getInt(0)
                                == MAGIC;
        boolean known = frame && (record[4] == VERSION || ofServers(record));
        return frame && !known ? record[4] & 0xFF : 0;
    }

    static Settings settings(byte[] record, int offset) {
        return Codecs.SETTINGS.of(Arrays.copyOfRange(record, offset, record.length));
    }
}
