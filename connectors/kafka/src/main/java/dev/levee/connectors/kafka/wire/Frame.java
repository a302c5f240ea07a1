package dev.levee.connectors.kafka.wire;

import dev.levee.learners.Score;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.codec.Codecs;

import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A record of the wire format: a view of bytes whose layout has been checked, and nothing else. Its
 * protocol version is 2, or 3 if it is the model of one of several servers. Reading one allocates
 * nothing that the record merely claims; its values are copied out only when asked for. Everything
 * is little-endian.
 *
 * <pre>
 *   0  magic "LEVE"        8  run          24  sender      40  base version    56  of the kind
 *   4  protocol version   16  round        28  receiver    48  blocks          88  checksum, 32
 *   5  kind                                32  block       52  length         120  signature, 64
 *   6  encoding, 2                         36  phase                          184  tag, 16
 *                                                                             200  values
 * </pre>
 *
 * Of the kind: a gradient has loss (56, float64), the microseconds since the epoch when the worker
 * had the model (64, int64) and the gradient (72, int64). Behind the values of a model are the
 * settings of the round that it opens, the very bytes that {@link Codecs#SETTINGS} writes, and
 * among how many workers data are dealt, if that does not follow from who takes part, who is asked
 * to evaluate, what participants do, if that is not one gradient, and which servers there are, if
 * there are several: then the sender is the server. Behind those of a gradient is its weight,
 * unless that is 1. Scores have the loss (56, float64), the number of samples (64, int64) and when
 * they had been evaluated (72, int64), no values, and behind them a field for each score.
 *
 * <p>The checksum is SHA-256 over bytes 0 to 87 and all from 200 on. The tag of a gradient is the
 * first half of HMAC-SHA-256 over the eight bytes {@code levee/2:} and the checksum, with what
 * worker and job share ({@link SharedKey}); it is zero elsewhere. The signature is Ed25519 over
 * {@code levee/2:}, checksum and tag. A run without keys has zeros for both.
 */
public final class Frame {
    /** Bytes before the values. */
    public static final int HEADER = 200;

    /** Values are float32; the length counts floats. */
    static final int FLOAT32 = 0;

    /** Values are integers of 32 bits under masks; the length counts integers. */
    static final int MASKED = 2;

    /** Values are bytes; the length counts bytes. */
    static final int BYTES = 1;

    /**
     * Field of a model: among how many workers data are dealt (int32). Tags from 256 on are of the
     * wire alone, behind all settings.
     */
    static final int PARTICIPANTS = 256;

    /** Field of a model: the worker that is asked to evaluate (int32). */
    static final int EVALUATOR = 257;

    /** Field of a model: what participants do with it, a line for each option (UTF-8). */
    static final int WORK = 258;

    /** Field of a model of one of several servers: what it says of them all (UTF-8). */
    static final int SERVERS = 259;

    /** Bytes of fields that scores may have at most. */
    static final int MOST_SCORE_BYTES = 1024;

    /** Field of a gradient: how much it counts (float64). */
    static final int WEIGHT = 1;

    static final int MAGIC = 0x4556454C; // "LEVE" read as a little-endian int
    static final byte VERSION = 2;

    /**
     * Of models of several servers, and of nothing else: who knows version 2 only would take them
     * for contradictory blocks of one model.
     */
    static final byte OF_SERVERS = 3;

    static final int CHECKSUM = 88;
    static final int CHECKSUM_LENGTH = 32;
    static final int SIGNATURE = CHECKSUM + CHECKSUM_LENGTH;
    static final int SIGNATURE_LENGTH = 64;
    static final int TAG = SIGNATURE + SIGNATURE_LENGTH;

    private static final Optional<FrameKind> MODEL = Optional.of(FrameKind.MODEL);

    private final byte[] record;
    private final ByteBuffer bytes;
    private final FrameKind kind;

    private Frame(byte[] record, FrameKind kind) {
        this.record = record;
        this.bytes = ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN);
        this.kind = kind;
    }

    /**
     * The frame in a record, if its layout is that of one. Says nothing about who made it, or
     * whether it is intact.
     *
     * @param record never written afterwards; null is no frame
     */
    public static Optional<Frame> read(byte[] record) {
        return flaw(record) == null
                ? Optional.of(new Frame(record, FrameKind.of(record[5]).orElseThrow()))
                : Optional.empty();
    }

    /** What is wrong with the layout of a record, in a few words; null if nothing. */
    public static String flaw(byte[] record) {
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
        if (!masked && encoding != (kind.get() == FrameKind.STATE ? BYTES : FLOAT32)) {
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
        if (length < 0 || behind < 0 || behind > 0 && kind.get() == FrameKind.STATE) {
            return "claims " + length + " values and has " + (record.length - HEADER) + " bytes";
        }
        int fields = HEADER + (int) size;
        return switch (kind.get()) {
            case MODEL -> settingsFlaw(bytes, fields);
            case GRADIENT -> behind == 0 ? null : weightFlaw(bytes, fields);
            case STATE -> null;
            case SCORES -> scoresFlaw(bytes, length, blocks, fields);
        };
    }

    private static boolean ofServers(byte[] record) {
        return record[4] == OF_SERVERS && FrameKind.of(record[5]).equals(MODEL);
    }

    /** One record has one layout: a gradient that says nothing has no section. */
    private static String weightFlaw(ByteBuffer record, int offset) {
        return record.capacity() - offset == Integer.BYTES && record.getInt(offset) == 0
                ? "fields that are none"
                : fieldsFlaw(record, offset, WEIGHT, Double.BYTES);
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

    /** The field that a score has, part of the protocol. */
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
     * The protocol version of a record that is a frame of another one than this, 0 if it is none.
     */
    public static int otherVersion(byte[] record) {
        boolean frame =
                record != null
                        && record.length >= HEADER
                        && ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN).getInt(0)
                                == MAGIC;
        boolean known = frame && (record[4] == VERSION || ofServers(record));
        return frame && !known ? record[4] & 0xFF : 0;
    }

    /** What it holds. */
    public FrameKind kind() {
        return kind;
    }

    /** The run it belongs to. */
    public long run() {
        return bytes.getLong(8);
    }

    /** The round it belongs to; of a model or a state, the version. */
    public long round() {
        return bytes.getLong(16);
    }

    /** How many servers a model says there are: 1 unless it says what the others are. */
    public int servers() {
        return toldServers().map(ToldServers::servers).orElse(1);
    }

    /** The server that a model claims to come from, below {@link #servers}. */
    public int server() {
        return record[4] == OF_SERVERS ? sender() : 0;
    }

    /** What a model of one of several servers says of them all; empty if there is one. */
    public Optional<ToldServers> toldServers() {
        require(FrameKind.MODEL);
        return record[4] == OF_SERVERS
                ? ToldServers.of(StandardCharsets.UTF_8.decode(field(SERVERS)).toString())
                : Optional.empty();
    }

    /** The worker it claims to come from, 0 for the job. */
    public int sender() {
        return bytes.getInt(24);
    }

    /** Which server a gradient says it is for. */
    public int receiver() {
        return bytes.getInt(28);
    }

    /** Its block. */
    public int block() {
        return bytes.getInt(32);
    }

    /** Number of blocks of the whole vector; more than {@link #block}. */
    public int blocks() {
        return bytes.getInt(48);
    }

    /** Number of values, which the record does have. */
    public int length() {
        return bytes.getInt(52);
    }

    /** The checksum it carries, 32 bytes; a copy. */
    public byte[] checksum() {
        return Arrays.copyOfRange(record, CHECKSUM, CHECKSUM + CHECKSUM_LENGTH);
    }

    private int valueBytes() {
        return kind == FrameKind.STATE ? length() : length() * Float.BYTES;
    }

    /**
     * CRC-32C of the values, and of the weight of a gradient that has one: tells whether two blocks
     * say the same, unless somebody wants them to seem so.
     */
    public long valuesCrc() {
        CRC32C crc = new CRC32C();
        int size = kind == FrameKind.GRADIENT ? record.length - HEADER : valueBytes();
        crc.update(record, HEADER, size);
        return crc.getValue();
    }

    /** How much a gradient says it counts, which may be any number; 1 if it says nothing. */
    public double weight() {
        require(FrameKind.GRADIENT);
        ByteBuffer weight = field(WEIGHT);
        return weight == null ? 1 : weight.getDouble();
    }

    /**
     * Among how many workers data are dealt, as a model says: those who take part, unless it says
     * another number.
     */
    public int participants() {
        ByteBuffer participants = field(PARTICIPANTS);
        return participants == null ? settings().workers() : participants.getInt();
    }

    /** The worker that a model asks to evaluate versions, −1 if it asks none. */
    public int evaluator() {
        require(FrameKind.MODEL);
        ByteBuffer evaluator = field(EVALUATOR);
        return evaluator == null ? -1 : evaluator.getInt();
    }

    /**
     * What participants do with a model, as far as it says so: lines of a name, a colon and a
     * value; empty if it says nothing.
     */
    public String work() {
        require(FrameKind.MODEL);
        ByteBuffer work = field(WORK);
        return work == null ? "" : StandardCharsets.UTF_8.decode(work).toString();
    }

    private ByteBuffer field(int tag) {
        int offset = HEADER + valueBytes();
        return offset == record.length ? null : TaggedFields.find(bytes, offset, tag);
    }

    /** True if it is as it was made: its checksum is that of its bytes. */
    public boolean intact() {
        return MessageDigest.isEqual(Frames.checksum(record), checksum());
    }

    /**
     * True if the checksum it carries was signed with the key; says nothing about {@link #intact}.
     */
    public boolean signedBy(VerifyingKey key) {
        return key.verifies(
                Frames.signed(record),
                Arrays.copyOfRange(record, SIGNATURE, SIGNATURE + SIGNATURE_LENGTH));
    }

    /**
     * True if the checksum it carries was tagged with the key, which only its two owners can; says
     * nothing about {@link #intact}.
     */
    public boolean taggedBy(SharedKey key) {
        return MessageDigest.isEqual(
                key.tag(Frames.tagged(record)),
                Arrays.copyOfRange(record, TAG, TAG + SharedKey.TAG_LENGTH));
    }

    /**
     * True if it is intact and, where keys are used, signed.
     *
     * @param key null in a run without keys
     */
    public boolean authentic(VerifyingKey key) {
        return intact() && (key == null || signedBy(key));
    }

    /** The gradient block it is; fresh values. */
    public GradientBlock gradient() {
        require(FrameKind.GRADIENT);
        return new GradientBlock(
                header(),
                weight(),
                bytes.getDouble(56),
                bytes.getLong(64),
                bytes.getLong(72),
                floats());
    }

    /** The scores it tells. */
    public ToldScores scores() {
        require(FrameKind.SCORES);
        Map<Score, Double> scores = new EnumMap<>(Score.class);
        for (Score score : Score.values()) {
            ByteBuffer value = field(tag(score));
            if (value != null) {
                scores.put(score, value.getDouble());
            }
        }
        return new ToldScores(
                run(),
                round(),
                sender(),
                bytes.getDouble(56),
                bytes.getLong(64),
                bytes.getLong(72),
                scores);
    }

    /** The model block it is; fresh values. */
    public ModelBlock model() {
        require(FrameKind.MODEL);
        return new ModelBlock(header(), settings(), floats());
    }

    /** The settings of the round that a model opens. */
    public Settings settings() {
        require(FrameKind.MODEL);
        return settings(record, HEADER + valueBytes());
    }

    private static Settings settings(byte[] record, int offset) {
        return Codecs.SETTINGS.of(Arrays.copyOfRange(record, offset, record.length));
    }

    /** The content of a state; a copy. */
    public byte[] state() {
        require(FrameKind.STATE);
        return Arrays.copyOfRange(record, HEADER, record.length);
    }

    private Header header() {
        return new Header(
                run(),
                round(),
                bytes.getInt(36),
                sender(),
                bytes.getInt(28),
                block(),
                bytes.getLong(40),
                bytes.getShort(6));
    }

    private float[] floats() {
        float[] values = new float[length()];
        bytes.slice(HEADER, valueBytes())
                .order(ByteOrder.LITTLE_ENDIAN)
                .asFloatBuffer()
                .get(values);
        return values;
    }

    private void require(FrameKind wanted) {
        if (kind != wanted) {
            throw new IllegalStateException("a frame of kind " + kind + ", not " + wanted);
        }
    }
}
