package dev.levee.connectors.kafka.wire;

import dev.levee.learners.Score;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.codec.Codecs;
import dev.levee.operators.rounds.codec.SumMessageCodec;
import dev.levee.operators.rounds.report.LocalScore;
import dev.levee.operators.rounds.securesum.SumMessage;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
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
 * A record of the wire format: a view of bytes of which only the layout has been checked. The
 * protocol version is 2, or 3 for models in runs with several servers. Reading a frame allocates no
 * memory for sizes that the record merely claims, and copies values only on request. Everything is
 * little-endian.
 *
 * <pre>
 *   0  magic "LEVE"        8  run          24  sender      40  base version    56  of the kind
 *   4  protocol version   16  round        28  receiver    48  blocks          88  checksum, 32
 *   5  kind                                32  block       52  length         120  signature, 64
 *   6  encoding, 2                         36  phase                          184  tag, 16
 *                                                                             200  values
 * </pre>
 *
 * Fields of the kind: a gradient has loss (56, float64), the time when the worker had the model
 * (64, int64) and the time when it had the gradient (72, int64), both in microseconds since the
 * epoch. The values of a model are followed by the settings of the round that it opens, as {@link
 * Codecs#SETTINGS} writes them, and by fields that are present only if needed: the number of
 * workers that share the data, the evaluating worker, the work of participants, and the servers.
 * With several servers, the sender is a server. The values of a gradient are followed by its
 * weight, unless that is 1, and by the device's scores of models, if it has any. Scores have the
 * loss (56, float64), the number of samples (64, int64) and the time of the evaluation (72, int64),
 * no values, and a field for each score. A message of a secure sum has the bytes that {@link
 * SumMessageCodec} writes; it goes from a device to the job (receiver 0), or from the job to one
 * device or to all (receiver −1).
 *
 * <p>The checksum is SHA-256 over bytes 0 to 87 and all bytes from 200. The tag of a gradient is
 * the first half of HMAC-SHA-256 over the eight bytes {@code levee/2:} and the checksum, with the
 * key that worker and job share ({@link SharedKey}). Other kinds have a tag of zeros. The signature
 * is Ed25519 over {@code levee/2:}, checksum and tag. A run without keys has zeros for both.
 */
public final class Frame {
    /** Number of bytes before the values. */
    public static final int HEADER = FrameLayout.HEADER;

    private final byte[] record;
    private final ByteBuffer bytes;
    private final FrameKind kind;

    private Frame(byte[] record, FrameKind kind) {
        this.record = record;
        this.bytes = ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN);
        this.kind = kind;
    }

    /**
     * Returns the frame in a record, if the layout is valid. Checks neither the sender nor the
     * checksum.
     *
     * @param record must not be changed afterward; null is not a frame
     */
    public static Optional<Frame> read(byte[] record) {
        return FrameLayout.flaw(record) == null
                ? Optional.of(new Frame(record, FrameKind.of(record[5]).orElseThrow()))
                : Optional.empty();
    }

    /** Returns the frame in a record, like {@link #read(byte[])}, if it is of this kind. */
    public static Optional<Frame> read(byte[] record, FrameKind kind) {
        return read(record).filter(frame -> frame.kind == kind);
    }

    /** Describes an error in the layout of a record, in a few words; null if there is none. */
    public static String flaw(byte[] record) {
        return FrameLayout.flaw(record);
    }

    /**
     * The protocol version of a frame with another version than this; 0 if the record is no such
     * frame.
     */
    public static int otherVersion(byte[] record) {
        return FrameLayout.otherVersion(record);
    }

    /** The record, as a read-only buffer. */
    public ByteBuffer record() {
        return ByteBuffer.wrap(record).asReadOnlyBuffer();
    }

    /** The kind of this frame's content. */
    public FrameKind kind() {
        return kind;
    }

    /** The encoding of the values, as in {@link Header}. */
    public int encoding() {
        return bytes.getShort(6);
    }

    /** The run that this frame belongs to. */
    public long run() {
        return bytes.getLong(8);
    }

    /** The round that this frame belongs to; for a model or a state, the version. */
    public long round() {
        return bytes.getLong(16);
    }

    /** Number of servers that a model claims; 1 by default. */
    public int servers() {
        return toldServers().map(ToldServers::servers).orElse(1);
    }

    /** The server that a model claims to come from, below {@link #servers}. */
    public int server() {
        return record[4] == FrameLayout.OF_SERVERS ? sender() : 0;
    }

    /**
     * The servers as described by a model of one of several servers; empty if there is one server.
     */
    public Optional<ToldServers> toldServers() {
        require(FrameKind.MODEL);
        return record[4] == FrameLayout.OF_SERVERS
                ? ToldServers.of(
                        StandardCharsets.UTF_8.decode(field(FrameLayout.SERVERS)).toString())
                : Optional.empty();
    }

    /** The worker that this frame claims to come from, 0 for the job. */
    public int sender() {
        return bytes.getInt(24);
    }

    /** The server that a gradient is for. */
    public int receiver() {
        return bytes.getInt(28);
    }

    /** Index of the block. */
    public int block() {
        return bytes.getInt(32);
    }

    /** Number of blocks of the whole vector; greater than {@link #block}. */
    public int blocks() {
        return bytes.getInt(48);
    }

    /** Number of values; the record has been checked to contain that many. */
    public int length() {
        return bytes.getInt(52);
    }

    /** A copy of the checksum in the record, 32 bytes. */
    public byte[] checksum() {
        return Arrays.copyOfRange(
                record, FrameLayout.CHECKSUM, FrameLayout.CHECKSUM + FrameLayout.CHECKSUM_LENGTH);
    }

    private int valueBytes() {
        return kind.ofBytes() ? length() : length() * Float.BYTES;
    }

    /**
     * CRC-32C of the values and, for a gradient, of the fields after them. It detects that two
     * blocks differ, unless somebody forged the collision.
     */
    public long valuesCrc() {
        CRC32C crc = new CRC32C();
        int size = kind == FrameKind.GRADIENT ? record.length - HEADER : valueBytes();
        crc.update(record, HEADER, size);
        return crc.getValue();
    }

    /** The weight that a gradient claims, which may be any number; 1 by default. */
    public double weight() {
        require(FrameKind.GRADIENT);
        ByteBuffer weight = field(FrameLayout.WEIGHT);
        return weight == null ? 1 : weight.getDouble();
    }

    /**
     * The scores of models on the device's samples, as reported in its contribution; empty if there
     * are none or they are impossible.
     */
    public Optional<LocalScore> localScore() {
        require(FrameKind.GRADIENT);
        ByteBuffer field = field(FrameLayout.LOCAL_SCORE);
        return field == null ? Optional.empty() : LocalScoreField.read(field, sender(), round());
    }

    /**
     * Number of workers that share the data: the number of participants, unless the model says
     * otherwise.
     */
    public int participants() {
        ByteBuffer participants = field(FrameLayout.PARTICIPANTS);
        return participants == null ? settings().workers() : participants.getInt();
    }

    /** The worker that is to evaluate versions, as named by a model; −1 for none. */
    public int evaluator() {
        require(FrameKind.MODEL);
        ByteBuffer evaluator = field(FrameLayout.EVALUATOR);
        return evaluator == null ? -1 : evaluator.getInt();
    }

    /**
     * The work of participants with a model, in lines of a name, a colon and a value; empty if the
     * frame does not say.
     */
    public String work() {
        require(FrameKind.MODEL);
        ByteBuffer work = field(FrameLayout.WORK);
        return work == null ? "" : StandardCharsets.UTF_8.decode(work).toString();
    }

    private ByteBuffer field(int tag) {
        int offset = HEADER + valueBytes();
        return offset == record.length ? null : TaggedFields.find(bytes, offset, tag);
    }

    /** True if the checksum matches the content. */
    public boolean intact() {
        return MessageDigest.isEqual(Frames.checksum(record), checksum());
    }

    /**
     * True if the checksum was signed with the key. Does not check the checksum ({@link #intact}).
     */
    public boolean signedBy(VerifyingKey key) {
        return key.verifies(
                Frames.signed(record),
                Arrays.copyOfRange(
                        record,
                        FrameLayout.SIGNATURE,
                        FrameLayout.SIGNATURE + FrameLayout.SIGNATURE_LENGTH));
    }

    /**
     * True if the checksum was tagged with the key, as only the two owners of the key can do. Does
     * not check the checksum ({@link #intact}).
     */
    public boolean taggedBy(SharedKey key) {
        return MessageDigest.isEqual(
                key.tag(Frames.tagged(record)),
                Arrays.copyOfRange(
                        record, FrameLayout.TAG, FrameLayout.TAG + SharedKey.TAG_LENGTH));
    }

    /**
     * True if this frame is intact and, in runs with keys, signed.
     *
     * @param key null in a run without keys
     */
    public boolean authentic(VerifyingKey key) {
        return intact() && (key == null || signedBy(key));
    }

    /** The content as a gradient block, with a copy of the values. */
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

    /** The content as scores. */
    public ToldScores scores() {
        require(FrameKind.SCORES);
        Map<Score, Double> scores = new EnumMap<>(Score.class);
        for (Score score : Score.values()) {
            ByteBuffer value = field(FrameLayout.tag(score));
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

    /** The content as a model block, with a copy of the values. */
    public ModelBlock model() {
        require(FrameKind.MODEL);
        return new ModelBlock(header(), settings(), floats());
    }

    /** The settings of the round that this model opens. */
    public Settings settings() {
        require(FrameKind.MODEL);
        return FrameLayout.settings(record, HEADER + valueBytes());
    }

    /** A copy of the content of a state. */
    public byte[] state() {
        require(FrameKind.STATE);
        return Arrays.copyOfRange(record, HEADER, record.length);
    }

    /**
     * The content as a message of a secure sum; empty if it is not such a message. Does not check
     * whether the sender may send it.
     */
    public Optional<SumMessage> sum() {
        require(FrameKind.SUM);
        ByteArrayInputStream content = new ByteArrayInputStream(record, HEADER, length());
        try {
            SumMessage message = SumMessageCodec.INSTANCE.read(new DataInputStream(content));
            return content.available() == 0 ? Optional.of(message) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
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
                encoding());
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
