package dev.levee.connectors.kafka.wire;

import dev.levee.learners.Score;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.LocalScore;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.codec.Codecs;
import dev.levee.operators.rounds.codec.SumMessageCodec;
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
 * Fields of the kind: a gradient has loss (56, float64), the microseconds since the epoch when the
 * worker had the model (64, int64) and the gradient (72, int64). The values of a model are followed
 * by the settings of the round that it opens, as {@link Codecs#SETTINGS} writes them, and by fields
 * that are present only if needed: the number of workers that share the data, the worker that is
 * asked to evaluate, the work of participants, and the servers; with several servers, the sender is
 * a server. The values of a gradient are followed by its weight, unless that is 1, and by the
 * device's scores of models, if it has any. Scores have the loss (56, float64), the number of
 * samples (64, int64) and the time of the evaluation (72, int64), no values, and a field for each
 * score. A message of a secure sum has the bytes that {@link SumMessageCodec} writes; it is from a
 * device to the job (receiver 0), or from the job to one device or to all (receiver −1).
 *
 * <p>The checksum is SHA-256 over bytes 0 to 87 and all from 200 on. The tag of a gradient is the
 * first half of HMAC-SHA-256 over the eight bytes {@code levee/2:} and the checksum, with what
 * worker and job share ({@link SharedKey}); it is zero elsewhere. The signature is Ed25519 over
 * {@code levee/2:}, checksum and tag. A run without keys has zeros for both.
 */
public final class Frame {
    /** Bytes before the values. */
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
     * The frame in a record, if the record has the layout of one. Checks neither the sender nor the
     * checksum.
     *
     * @param record never written afterwards; null is no frame
     */
    public static Optional<Frame> read(byte[] record) {
        return FrameLayout.flaw(record) == null
                ? Optional.of(new Frame(record, FrameKind.of(record[5]).orElseThrow()))
                : Optional.empty();
    }

    /** Describes an error in the layout of a record, in a few words; null if there is none. */
    public static String flaw(byte[] record) {
        return FrameLayout.flaw(record);
    }

    /**
     * The protocol version of a record that is a frame of another one than this, 0 if it is none.
     */
    public static int otherVersion(byte[] record) {
        return FrameLayout.otherVersion(record);
    }

    /** The record itself, which cannot be written to. */
    public ByteBuffer record() {
        return ByteBuffer.wrap(record).asReadOnlyBuffer();
    }

    /** The kind of its content. */
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

    /** Number of servers that a model claims; 1 by default. */
    public int servers() {
        return toldServers().map(ToldServers::servers).orElse(1);
    }

    /** The server that a model claims to come from, below {@link #servers}. */
    public int server() {
        return record[4] == FrameLayout.OF_SERVERS ? sender() : 0;
    }

    /** The servers that a model of one of several describes; empty if there is one. */
    public Optional<ToldServers> toldServers() {
        require(FrameKind.MODEL);
        return record[4] == FrameLayout.OF_SERVERS
                ? ToldServers.of(
                        StandardCharsets.UTF_8.decode(field(FrameLayout.SERVERS)).toString())
                : Optional.empty();
    }

    /** The worker it claims to come from, 0 for the job. */
    public int sender() {
        return bytes.getInt(24);
    }

    /** The server that a gradient is for. */
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
        return Arrays.copyOfRange(
                record, FrameLayout.CHECKSUM, FrameLayout.CHECKSUM + FrameLayout.CHECKSUM_LENGTH);
    }

    private int valueBytes() {
        return kind.ofBytes() ? length() : length() * Float.BYTES;
    }

    /**
     * CRC-32C of the values, and of the fields of a gradient that has some: tells whether two
     * blocks say the same, unless somebody wants them to seem so.
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
     * How models do on samples of the device, as its contribution tells; empty if it tells nothing
     * or something impossible.
     */
    public Optional<LocalScore> localScore() {
        require(FrameKind.GRADIENT);
        ByteBuffer field = field(FrameLayout.LOCAL_SCORE);
        return field == null ? Optional.empty() : LocalScoreField.read(field, sender(), round());
    }

    /**
     * Number of workers to which data are dealt: that of a model's participants, unless the model
     * has another number.
     */
    public int participants() {
        ByteBuffer participants = field(FrameLayout.PARTICIPANTS);
        return participants == null ? settings().workers() : participants.getInt();
    }

    /** The worker that a model asks to evaluate versions, −1 if it asks none. */
    public int evaluator() {
        require(FrameKind.MODEL);
        ByteBuffer evaluator = field(FrameLayout.EVALUATOR);
        return evaluator == null ? -1 : evaluator.getInt();
    }

    /**
     * The work of participants with a model, in lines of a name, a colon and a value; empty if the
     * frame says nothing of it.
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

    /** True if it is as it was made: its checksum is that of its bytes. */
    public boolean intact() {
        return MessageDigest.isEqual(Frames.checksum(record), checksum());
    }

    /**
     * True if its checksum was signed with the key; does not check the checksum ({@link #intact}).
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
     * True if its checksum was tagged with the key, which only its two owners can do; does not
     * check the checksum ({@link #intact}).
     */
    public boolean taggedBy(SharedKey key) {
        return MessageDigest.isEqual(
                key.tag(Frames.tagged(record)),
                Arrays.copyOfRange(
                        record, FrameLayout.TAG, FrameLayout.TAG + SharedKey.TAG_LENGTH));
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

    /** The model block it is; fresh values. */
    public ModelBlock model() {
        require(FrameKind.MODEL);
        return new ModelBlock(header(), settings(), floats());
    }

    /** The settings of the round that a model opens. */
    public Settings settings() {
        require(FrameKind.MODEL);
        return FrameLayout.settings(record, HEADER + valueBytes());
    }

    /** The content of a state; a copy. */
    public byte[] state() {
        require(FrameKind.STATE);
        return Arrays.copyOfRange(record, HEADER, record.length);
    }

    /**
     * The message of a secure sum that it is; empty if its content is none. Says nothing about who
     * may send such a message.
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
