package dev.levee.operators.rounds.codec;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Codecs of arrays of numbers, little-endian, in bulk; a length of −1 is null. */
public final class ArrayCodec {
    private static final int SCRATCH_BYTES = 1 << 16;
    private static final ThreadLocal<ByteBuffer> SCRATCH =
            ThreadLocal.withInitial(
                    () -> ByteBuffer.allocate(SCRATCH_BYTES).order(ByteOrder.LITTLE_ENDIAN));

    public static final Codec<byte[]> BYTES =
            Codec.with(ArrayCodec::writeBytes, ArrayCodec::readBytes);

    /** Codec of arrays that may be null. */
    public static final Codec<float[]> FLOATS =
            Codec.with(ArrayCodec::writeFloats, ArrayCodec::readFloats);

    static final Codec<float[][]> ROWS = Codec.with(ArrayCodec::writeRows, ArrayCodec::readRows);

    static final Codec<double[]> DOUBLES =
            Codec.with(ArrayCodec::writeDoubles, ArrayCodec::readDoubles);

    static final Codec<int[]> INTS = Codec.with(ArrayCodec::writeInts, ArrayCodec::readInts);

    static final Codec<long[]> LONGS = Codec.with(ArrayCodec::writeLongs, ArrayCodec::readLongs);

    private ArrayCodec() {}

    public static void writeFloats(float[] values, DataOutput out) throws IOException {
        if (values == null) {
            out.writeInt(-1);
            return;
        }
        writeFloats(values, 0, values.length, out);
    }

    static void writeFloats(float[] values, int start, int length, DataOutput out)
            throws IOException {
        out.writeInt(length);
        ByteBuffer scratch = SCRATCH.get();
        int step = SCRATCH_BYTES / Float.BYTES;
        for (int from = 0; from < length; from += step) {
            int count = Math.min(step, length - from);
            scratch.asFloatBuffer().put(values, start + from, count);
            out.write(scratch.array(), 0, count * Float.BYTES);
        }
    }

    public static float[] readFloats(DataInput in) throws IOException {
        int length = in.readInt();
        if (length < 0) {
            return null;
        }
        float[] values = new float[length];
        ByteBuffer scratch = SCRATCH.get();
        int step = SCRATCH_BYTES / Float.BYTES;
        for (int from = 0; from < length; from += step) {
            int count = Math.min(step, length - from);
            in.readFully(scratch.array(), 0, count * Float.BYTES);
            scratch.asFloatBuffer().get(values, from, count);
        }
        return values;
    }

    public static void writeRows(float[][] rows, DataOutput out) throws IOException {
        out.writeInt(rows.length);
        for (float[] row : rows) {
            writeFloats(row, out);
        }
    }

    public static float[][] readRows(DataInput in) throws IOException {
        float[][] rows = new float[in.readInt()][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = readFloats(in);
        }
        return rows;
    }

    public static void writeDoubles(double[] values, DataOutput out) throws IOException {
        out.writeInt(values.length);
        for (double value : values) {
            out.writeDouble(value);
        }
    }

    public static double[] readDoubles(DataInput in) throws IOException {
        double[] values = new double[in.readInt()];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.readDouble();
        }
        return values;
    }

    public static void writeInts(int[] values, DataOutput out) throws IOException {
        out.writeInt(values.length);
        for (int value : values) {
            out.writeInt(value);
        }
    }

    public static int[] readInts(DataInput in) throws IOException {
        int[] values = new int[in.readInt()];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.readInt();
        }
        return values;
    }

    public static void writeLongs(long[] values, DataOutput out) throws IOException {
        out.writeInt(values.length);
        for (long value : values) {
            out.writeLong(value);
        }
    }

    public static long[] readLongs(DataInput in) throws IOException {
        long[] values = new long[in.readInt()];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.readLong();
        }
        return values;
    }

    public static void writeBytes(byte[] values, DataOutput out) throws IOException {
        out.writeInt(values.length);
        out.write(values);
    }

    public static byte[] readBytes(DataInput in) throws IOException {
        byte[] values = new byte[in.readInt()];
        in.readFully(values);
        return values;
    }
}
