package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Pulls;
import dev.levee.operators.rounds.Settings;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Writes settings as tagged fields, with the same bytes in checkpoints and on topics. Format,
 * little-endian: the length of what follows (int32); then for each field its tag (uint16), the
 * length of its value (int32) and its value. Tags ascend. Readers skip unknown tags and use
 * defaults for missing ones, so a new setting is one more entry in {@link #FIELDS}.
 */
final class SettingsCodec implements Codec<Settings> {
    private static final int STOP = 1;
    private static final int EVALUATE = 2;

    /** Length of a field's tag and length, in bytes. */
    private static final int FIELD_HEADER = Short.BYTES + Integer.BYTES;

    /** All settings. A tag never changes its meaning; docs/reference/wire-format.md lists them. */
    static final List<Field> FIELDS =
            List.of(
                    new Field(
                            1,
                            s -> s.cohort().isFirst() ? number(s.workers()) : null,
                            (draft, in) -> draft.cohort = Cohort.first(in.getInt())),
                    new Field(
                            2,
                            s -> s.cohort().isFirst() ? null : Deltas.bytes(s.cohort().ids()),
                            (draft, in) -> draft.cohort = Cohort.of(Deltas.read(in))),
                    new Field(3, s -> number(s.f()), (draft, in) -> draft.f = in.getInt()),
                    new Field(
                            4, s -> number(s.quorum()), (draft, in) -> draft.quorum = in.getInt()),
                    new Field(
                            5,
                            s -> number(s.batchSize()),
                            (draft, in) -> draft.batchSize = in.getInt()),
                    new Field(
                            6,
                            s -> number(s.learningRate()),
                            (draft, in) -> draft.learningRate = in.getDouble()),
                    new Field(
                            7,
                            s -> number((s.stop() ? STOP : 0) | (s.evaluate() ? EVALUATE : 0)),
                            (draft, in) -> draft.flags = in.getInt()),
                    new Field(
                            8,
                            s -> number(s.samples()),
                            (draft, in) -> draft.samples = in.getLong()),
                    new Field(
                            9,
                            s -> s.deadline() == null ? null : number(s.deadline().toNanos()),
                            (draft, in) -> draft.deadline = Duration.ofNanos(in.getLong())),
                    new Field(
                            10,
                            s -> s.pulls() == null ? null : bytes(s.pulls()),
                            (draft, in) -> draft.pulls = pulls(in)));

    static final SettingsCodec INSTANCE = new SettingsCodec(FIELDS);

    /**
     * One setting.
     *
     * @param value its bytes, null to leave it out
     * @param reader reads the value into a draft
     */
    record Field(int tag, Function<Settings, byte[]> value, BiConsumer<Draft, ByteBuffer> reader) {}

    /** Settings while fields are read; fields not read yet have their defaults. */
    static final class Draft {
        private Cohort cohort;
        private int f;
        private int quorum;
        private int batchSize = 1;
        private double learningRate;
        private int flags;
        private long samples;
        private Duration deadline;
        private Pulls pulls;

        private Settings settings() throws IOException {
            if (cohort == null) {
                throw new IOException("settings without a cohort");
            }
            return new Settings(
                    cohort,
                    f,
                    quorum == 0 ? cohort.size() : quorum,
                    batchSize,
                    learningRate,
                    (flags & STOP) != 0,
                    (flags & EVALUATE) != 0,
                    samples,
                    deadline,
                    pulls);
        }
    }

    private final List<Field> fields;

    /** Creates a codec of these fields, which have ascending tags. */
    SettingsCodec(List<Field> fields) {
        this.fields = fields;
    }

    @Override
    public void write(Settings settings, DataOutput out) throws IOException {
        byte[][] values = new byte[fields.size()][];
        int length = 0;
        for (int i = 0; i < values.length; i++) {
            values[i] = fields.get(i).value().apply(settings);
            length += values[i] == null ? 0 : FIELD_HEADER + values[i].length;
        }
        ByteBuffer section = buffer(Integer.BYTES + length).putInt(length);
        for (int i = 0; i < values.length; i++) {
            if (values[i] != null) {
                section.putShort((short) fields.get(i).tag()).putInt(values[i].length);
                section.put(values[i]);
            }
        }
        out.write(section.array());
    }

    @Override
    public Settings read(DataInput in) throws IOException {
        byte[] section = new byte[Integer.reverseBytes(in.readInt())];
        in.readFully(section);
        Draft draft = new Draft();
        ByteBuffer left = ByteBuffer.wrap(section).order(ByteOrder.LITTLE_ENDIAN);
        int last = 0;
        try {
            while (left.hasRemaining()) {
                int tag = Short.toUnsignedInt(left.getShort());
                int length = left.getInt();
                if (tag <= last || length < 0 || length > left.remaining()) {
                    throw new IOException("settings whose field " + tag + " is out of place");
                }
                ByteBuffer value = left.slice(left.position(), length);
                left.position(left.position() + length);
                read(tag, value.order(ByteOrder.LITTLE_ENDIAN), draft);
                last = tag;
            }
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw new IOException("settings with a field that makes no sense", e);
        }
        return draft.settings();
    }

    private void read(int tag, ByteBuffer value, Draft draft) throws IOException {
        for (Field field : fields) {
            if (field.tag() == tag) {
                field.reader().accept(draft, value);
                if (value.hasRemaining()) {
                    throw new IOException("settings whose field " + tag + " is too long");
                }
            }
        }
    }

    /**
     * Writes the number of devices (int32), the devices (int32 each), their rounds (int64 each),
     * and the bases.
     */
    private static byte[] bytes(Pulls pulls) {
        int devices = pulls.devices().length;
        int size = Integer.BYTES * (1 + devices) + Long.BYTES * (devices + pulls.bases().length);
        ByteBuffer bytes = buffer(size).putInt(devices);
        Arrays.stream(pulls.devices()).forEach(bytes::putInt);
        Arrays.stream(pulls.due()).forEach(bytes::putLong);
        Arrays.stream(pulls.bases()).forEach(bytes::putLong);
        return bytes.array();
    }

    private static Pulls pulls(ByteBuffer in) {
        int count = in.getInt();
        if (count < 0 || count > in.remaining() / (Integer.BYTES + Long.BYTES)) {
            throw new IllegalArgumentException(count + " devices in " + in.remaining() + " bytes");
        }
        int[] devices = new int[count];
        Arrays.setAll(devices, i -> in.getInt());
        long[] due = new long[count];
        Arrays.setAll(due, i -> in.getLong());
        long[] bases = new long[in.remaining() / Long.BYTES];
        Arrays.setAll(bases, i -> in.getLong());
        return new Pulls(devices, due, bases);
    }

    private static ByteBuffer buffer(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }

    static byte[] number(int value) {
        return buffer(Integer.BYTES).putInt(value).array();
    }

    private static byte[] number(long value) {
        return buffer(Long.BYTES).putLong(value).array();
    }

    private static byte[] number(double value) {
        return buffer(Double.BYTES).putDouble(value).array();
    }
}
