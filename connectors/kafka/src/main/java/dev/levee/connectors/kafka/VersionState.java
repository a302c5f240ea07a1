package dev.levee.connectors.kafka;

import dev.levee.gar.RuleState;
import dev.levee.operators.rounds.CoordinatorMemory;
import dev.levee.operators.rounds.RoundReport;
import dev.levee.operators.rounds.WorkerCounts;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * What belongs to one block of a version beside the model: with it a job that has no checkpoint, or
 * an old one, goes on exactly. It is the content of a state frame, little-endian: the optimizer's
 * vectors, the last aggregate, and with block 0 the coordinator's memory.
 *
 * @param submitted when the job was submitted that made it, microseconds since the epoch
 * @param moments the optimizer's vectors
 * @param previous the last aggregate, null if zero or not needed
 * @param memory the coordinator's memory; null but in block 0
 */
public record VersionState(
        long submitted, float[][] moments, float[] previous, CoordinatorMemory memory) {
    private static final byte LAYOUT = 2;

    /** The same, made by a job that was submitted then. */
    public VersionState by(long job) {
        return new VersionState(job, moments, previous, memory);
    }

    /** As bytes that {@link #of} reads. */
    public byte[] bytes() {
        Sizes sizes = new Sizes();
        write(sizes);
        Bytes bytes = new Bytes(ByteBuffer.allocate(sizes.size).order(ByteOrder.LITTLE_ENDIAN));
        write(bytes);
        return bytes.buffer.array();
    }

    /**
     * Reads what {@link #bytes} wrote; claims nothing that the bytes do not hold.
     *
     * @throws IllegalArgumentException if they are something else
     */
    public static VersionState of(byte[] bytes) {
        try {
            Reader in = new Reader(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
            if (in.buffer.get() != LAYOUT) {
                throw new IllegalArgumentException("not a state of this version of Levee");
            }
            long submitted = in.buffer.getLong();
            float[][] moments = new float[in.count(Integer.BYTES)][];
            for (int i = 0; i < moments.length; i++) {
                moments[i] = in.floats();
            }
            return new VersionState(submitted, moments, in.floats(), in.memory());
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("a state that ends too early", e);
        }
    }

    private void write(Writer out) {
        out.number(LAYOUT, Byte.BYTES);
        out.number(submitted, Long.BYTES);
        out.number(moments.length, Integer.BYTES);
        for (float[] moment : moments) {
            out.floats(moment);
        }
        out.floats(previous);
        out.number(memory == null ? 0 : 1, Byte.BYTES);
        if (memory == null) {
            return;
        }
        out.number(memory.version(), Long.BYTES);
        out.doubles(memory.ruleState().values());
        out.number(memory.counts().size(), Integer.BYTES);
        for (WorkerCounts counts : memory.counts()) {
            out.number(counts.worker(), Integer.BYTES);
            out.number(counts.accepted(), Long.BYTES);
            out.number(counts.selected(), Long.BYTES);
            out.number(counts.rejected().length, Integer.BYTES);
            for (long rejected : counts.rejected()) {
                out.number(rejected, Long.BYTES);
            }
        }
        RoundReport last = memory.last();
        out.number(last == null ? 0 : 1, Byte.BYTES);
        if (last == null) {
            return;
        }
        out.number(last.round(), Long.BYTES);
        out.number(last.decidedAt(), Long.BYTES);
        out.doubles(new double[] {last.loss(), last.learningRate(), last.batchSize()});
        out.ints(last.rows());
        out.ints(last.selected());
        out.ints(last.faults());
    }

    /** The same fields are first measured and then written. */
    private interface Writer {
        void number(long value, int size);

        void floats(float[] values);

        default void doubles(double[] values) {
            number(values.length, Integer.BYTES);
            for (double value : values) {
                number(Double.doubleToRawLongBits(value), Long.BYTES);
            }
        }

        default void ints(int[] values) {
            number(values.length, Integer.BYTES);
            for (int value : values) {
                number(value, Integer.BYTES);
            }
        }
    }

    private static final class Sizes implements Writer {
        private int size;

        @Override
        public void number(long value, int bytes) {
            size = Math.addExact(size, bytes);
        }

        @Override
        public void floats(float[] values) {
            int length = values == null ? 0 : values.length;
            size = Math.addExact(size, Math.addExact(Integer.BYTES, length * Float.BYTES));
        }
    }

    private record Bytes(ByteBuffer buffer) implements Writer {
        @Override
        public void number(long value, int bytes) {
            switch (bytes) {
                case Byte.BYTES -> buffer.put((byte) value);
                case Integer.BYTES -> buffer.putInt((int) value);
                default -> buffer.putLong(value);
            }
        }

        @Override
        public void floats(float[] values) {
            buffer.putInt(values == null ? -1 : values.length);
            if (values != null) {
                buffer.asFloatBuffer().put(values);
                buffer.position(buffer.position() + values.length * Float.BYTES);
            }
        }
    }

    private record Reader(ByteBuffer buffer) {
        /** A number of things of at least that many bytes, all of which must be there. */
        int count(int size) {
            int count = buffer.getInt();
            if (count < 0 || (long) count * size > buffer.remaining()) {
                throw new BufferUnderflowException();
            }
            return count;
        }

        float[] floats() {
            int length = buffer.getInt();
            if (length == -1) {
                return null;
            }
            if (length < 0 || (long) length * Float.BYTES > buffer.remaining()) {
                throw new BufferUnderflowException();
            }
            float[] values = new float[length];
            buffer.asFloatBuffer().get(values);
            buffer.position(buffer.position() + length * Float.BYTES);
            return values;
        }

        double[] doubles() {
            double[] values = new double[count(Double.BYTES)];
            for (int i = 0; i < values.length; i++) {
                values[i] = buffer.getDouble();
            }
            return values;
        }

        int[] ints() {
            int[] values = new int[count(Integer.BYTES)];
            for (int i = 0; i < values.length; i++) {
                values[i] = buffer.getInt();
            }
            return values;
        }

        CoordinatorMemory memory() {
            if (buffer.get() == 0) {
                return null;
            }
            long version = buffer.getLong();
            RuleState ruleState = new RuleState(doubles());
            int workers = count(2 * Integer.BYTES);
            List<WorkerCounts> counts = new ArrayList<>();
            for (int i = 0; i < workers; i++) {
                int worker = buffer.getInt();
                long accepted = buffer.getLong();
                long selected = buffer.getLong();
                long[] rejected = new long[count(Long.BYTES)];
                for (int reason = 0; reason < rejected.length; reason++) {
                    rejected[reason] = buffer.getLong();
                }
                counts.add(new WorkerCounts(worker, accepted, selected, rejected));
            }
            return new CoordinatorMemory(version, ruleState, counts, last());
        }

        private RoundReport last() {
            if (buffer.get() == 0) {
                return null;
            }
            long round = buffer.getLong();
            long decidedAt = buffer.getLong();
            double[] numbers = doubles();
            if (numbers.length != 3) {
                throw new BufferUnderflowException();
            }
            return new RoundReport(
                    round,
                    decidedAt,
                    Double.NaN,
                    new double[0],
                    numbers[0],
                    numbers[1],
                    (int) numbers[2],
                    ints(),
                    ints(),
                    ints());
        }
    }
}
