package dev.levee.connectors.kafka.wire;

import dev.levee.learners.Score;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.SumNotice;
import dev.levee.operators.rounds.codec.Codecs;
import dev.levee.operators.rounds.codec.SumMessageCodec;
import dev.levee.operators.rounds.report.LocalScore;
import dev.levee.operators.rounds.securesum.SumMessage;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;

/** Creates frames. {@link Frame} documents their layout. */
public final class Frames {
    private static final byte[] DOMAIN = "levee/2:".getBytes(StandardCharsets.US_ASCII);

    private Frames() {}

    /**
     * A frame of a model block. Its round's participants share the data.
     *
     * @param blocks number of blocks of the whole model
     * @param key null to leave it unsigned
     * @throws IllegalArgumentException if there is no such block or round, or the model is not the
     *     first server's
     */
    public static byte[] of(ModelBlock model, int blocks, SigningKey key) {
        return of(model, blocks, model.settings().workers(), -1, "", null, key);
    }

    /**
     * As above, with the run's other messages to its workers.
     *
     * @param participants number of workers that share the data
     * @param evaluator the worker that is to evaluate versions, −1 for none
     * @param work the work of participants, in the format of {@link Frame#work}; empty for one
     *     gradient
     * @param servers the description of all servers, null if there is one
     * @param key the server's key
     * @throws IllegalArgumentException if there is no such block, round or server
     */
    public static byte[] of(
            ModelBlock model,
            int blocks,
            int participants,
            int evaluator,
            String work,
            ToldServers servers,
            SigningKey key) {
        if (servers == null && model.header().sender() != 0) {
            throw new IllegalArgumentException(
                    "frames are of the first server's model, not of server "
                            + model.header().sender());
        }
        byte[] settings = Codecs.SETTINGS.bytes(model.settings());
        if (participants != model.settings().workers()) {
            byte[] value = TaggedFields.little(Integer.BYTES).putInt(participants).array();
            settings = TaggedFields.with(settings, FrameLayout.PARTICIPANTS, value);
        }
        if (evaluator >= 0) {
            byte[] value = TaggedFields.little(Integer.BYTES).putInt(evaluator).array();
            settings = TaggedFields.with(settings, FrameLayout.EVALUATOR, value);
        }
        if (!work.isEmpty()) {
            byte[] value = work.getBytes(StandardCharsets.UTF_8);
            settings = TaggedFields.with(settings, FrameLayout.WORK, value);
        }
        if (servers != null) {
            byte[] value = servers.text().getBytes(StandardCharsets.UTF_8);
            settings = TaggedFields.with(settings, FrameLayout.SERVERS, value);
        }
        ByteBuffer frame =
                floats(FrameKind.MODEL, model.header(), blocks, model.values(), settings.length);
        frame.put(frame.capacity() - settings.length, settings);
        if (servers != null) {
            frame.put(4, FrameLayout.OF_SERVERS);
        }
        return sealed(frame, key);
    }

    /**
     * A frame of a gradient block. If the job has keys, {@code key} must be {@link
     * SigningKey#towards directed} at the job's key.
     *
     * @param blocks number of blocks of the whole gradient
     * @param key null to leave it unsigned
     * @throws IllegalArgumentException if there is no such block or round
     */
    public static byte[] of(GradientBlock gradient, int blocks, SigningKey key) {
        return of(gradient, null, blocks, key);
    }

    /**
     * As above, with scores of models on the device's samples.
     *
     * @param score null for none
     */
    public static byte[] of(GradientBlock gradient, LocalScore score, int blocks, SigningKey key) {
        byte[] fields = {};
        if (gradient.weight() != 1 || score != null) {
            fields = new byte[Integer.BYTES];
        }
        if (gradient.weight() != 1) {
            byte[] weight = TaggedFields.little(Double.BYTES).putDouble(gradient.weight()).array();
            fields = TaggedFields.with(fields, FrameLayout.WEIGHT, weight);
        }
        if (score != null) {
            fields = TaggedFields.with(fields, FrameLayout.LOCAL_SCORE, LocalScoreField.of(score));
        }
        ByteBuffer frame =
                floats(
                        FrameKind.GRADIENT,
                        gradient.header(),
                        blocks,
                        gradient.values(),
                        fields.length);
        frame.put(frame.capacity() - fields.length, fields);
        frame.putDouble(56, gradient.loss());
        frame.putLong(64, gradient.modelAt());
        frame.putLong(72, gradient.computedAt());
        return sealed(frame, key);
    }

    /**
     * A frame of scores. If the job has keys, {@code key} must be {@link SigningKey#towards
     * directed} at the job's key.
     *
     * @param key null to leave it unsigned
     * @throws IllegalArgumentException if there is no such version
     */
    public static byte[] of(ToldScores told, SigningKey key) {
        byte[] fields = new byte[Integer.BYTES];
        for (Map.Entry<Score, Double> each : told.scores().entrySet()) {
            byte[] value = TaggedFields.little(Double.BYTES).putDouble(each.getValue()).array();
            fields = TaggedFields.with(fields, FrameLayout.tag(each.getKey()), value);
        }
        Header header =
                Header.gradient(told.run(), told.version(), told.worker(), new ShardId(0, 0));
        ByteBuffer frame =
                frame(FrameKind.SCORES, FrameLayout.FLOAT32, header, 1, 0, fields.length);
        frame.put(Frame.HEADER, fields);
        frame.putDouble(56, told.loss());
        frame.putLong(64, told.samples());
        frame.putLong(72, told.at());
        return sealed(frame, key);
    }

    /**
     * A frame of a state.
     *
     * @param blocks number of blocks of the whole model
     * @param key null to leave it unsigned
     * @throws IllegalArgumentException if there is no such block or round
     */
    public static byte[] ofState(Header header, int blocks, byte[] state, SigningKey key) {
        ByteBuffer frame =
                frame(
                        FrameKind.STATE,
                        FrameLayout.BYTES,
                        header,
                        blocks,
                        state.length,
                        state.length);
        frame.put(Frame.HEADER, state);
        return sealed(frame, key);
    }

    /**
     * A frame with a device's message in a secure sum. If the job has keys, {@code key} must be
     * {@link SigningKey#towards directed} at the job's key.
     *
     * @param round the round whose contributions are summed
     */
    public static byte[] of(long run, long round, SumMessage.FromDevice said, SigningKey key) {
        return sum(new Header(run, round, 0, said.device(), 0, 0, round, 0), said, key);
    }

    /**
     * A frame with the job's message to devices in a secure sum.
     *
     * @param key the job's key
     */
    public static byte[] of(long run, SumNotice notice, SigningKey key) {
        int receiver = notice.message() instanceof SumMessage.Delivery to ? to.device() : -1;
        long round = notice.round();
        return sum(
                new Header(run, round, 0, notice.server(), receiver, 0, round, 0),
                notice.message(),
                key);
    }

    private static byte[] sum(Header header, SumMessage message, SigningKey key) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        try {
            SumMessageCodec.INSTANCE.write(message, new DataOutputStream(content));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // cannot happen in memory
        }
        ByteBuffer frame =
                frame(FrameKind.SUM, FrameLayout.BYTES, header, 1, content.size(), content.size());
        frame.put(Frame.HEADER, content.toByteArray());
        return sealed(frame, key);
    }

    private static ByteBuffer floats(
            FrameKind kind, Header header, int blocks, float[] values, int behind) {
        int size = Math.multiplyExact(values.length, Float.BYTES);
        ByteBuffer frame =
                frame(
                        kind,
                        header.encoding(),
                        header,
                        blocks,
                        values.length,
                        Math.addExact(size, behind));
        frame.slice(Frame.HEADER, size).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().put(values);
        return frame;
    }

    private static ByteBuffer frame(
            FrameKind kind, int encoding, Header header, int blocks, int length, int size) {
        ByteBuffer frame =
                ByteBuffer.allocate(Math.addExact(Frame.HEADER, size))
                        .order(ByteOrder.LITTLE_ENDIAN);
        frame.putInt(0, FrameLayout.MAGIC);
        frame.put(4, FrameLayout.VERSION);
        frame.put(5, kind.code());
        frame.putShort(6, (short) encoding);
        frame.putLong(8, header.run());
        frame.putLong(16, header.round());
        frame.putInt(24, header.sender());
        frame.putInt(28, header.receiver());
        frame.putInt(32, header.block());
        frame.putInt(36, header.phase());
        frame.putLong(40, header.baseVersion());
        frame.putInt(48, blocks);
        frame.putInt(52, length);
        return frame;
    }

    private static byte[] sealed(ByteBuffer frame, SigningKey key) {
        String flaw = Frame.flaw(frame.array());
        if (flaw != null) {
            throw new IllegalArgumentException("readers would refuse the frame: " + flaw);
        }
        byte[] checksum = checksum(frame.array());
        frame.put(FrameLayout.CHECKSUM, checksum);
        if (key != null) {
            if (key.shared() != null) {
                frame.put(FrameLayout.TAG, key.shared().tag(tagged(frame.array())));
            }
            frame.put(FrameLayout.SIGNATURE, key.sign(signed(frame.array())));
        }
        return frame.array();
    }

    /** The prefix of all bytes that are signed, tagged or hashed to a key. */
    static byte[] domain() {
        return DOMAIN.clone();
    }

    /** SHA-256 over everything but checksum, signature and tag. */
    static byte[] checksum(byte[] frame) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(frame, 0, FrameLayout.CHECKSUM);
            digest.update(frame, Frame.HEADER, frame.length - Frame.HEADER);
            return digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The tagged bytes: the prefix and the checksum. */
    static byte[] tagged(byte[] frame) {
        return joined(frame, 0);
    }

    /** The signed bytes: the prefix, the checksum and the tag. */
    static byte[] signed(byte[] frame) {
        return joined(frame, SharedKey.TAG_LENGTH);
    }

    private static byte[] joined(byte[] frame, int tagLength) {
        return ByteBuffer.allocate(DOMAIN.length + FrameLayout.CHECKSUM_LENGTH + tagLength)
                .put(DOMAIN)
                .put(frame, FrameLayout.CHECKSUM, FrameLayout.CHECKSUM_LENGTH)
                .put(frame, FrameLayout.TAG, tagLength)
                .array();
    }
}
