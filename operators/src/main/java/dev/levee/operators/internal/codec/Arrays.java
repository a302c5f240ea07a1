package dev.levee.operators.internal.codec;

import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Arrays of numbers, little-endian, in bulk; a length of −1 is null. */
final class Arrays {
    private static final int SCRATCH_BYTES = 1 << 16;
    private static final ThreadLocal<ByteBuffer> SCRATCH =
            ThreadLocal.withInitial(
                    () -> ByteBuffer.allocate(SCRATCH_BYTES).order(ByteOrder.LITTLE_ENDIAN));

    private Arrays() {}

    static void writeFloats(float[] values, DataOutputView out) throws IOException {
        if (values == null) {
            out.writeInt(-1);
            return;
        }
        out.writeInt(values.length);
        ByteBuffer scratch = SCRATCH.get();
        int step = SCRATCH_BYTES / Float.BYTES;
        for (int from = 0; from < values.length; from += step) {
            int count = Math.min(step, values.length - from);
            scratch.asFloatBuffer().put(values, from, count);
            out.write(scratch.array(), 0, count * Float.BYTES);
        }
    }

    static float[] readFloats(DataInputView in) throws IOException {
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

    static void writeRows(float[][] rows, DataOutputView out) throws IOException {
        out.writeInt(rows.length);
        for (float[] row : rows) {
            writeFloats(row, out);
        }
    }

    static float[][] readRows(DataInputView in) throws IOException {
        float[][] rows = new float[in.readInt()][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = readFloats(in);
        }
        return rows;
    }

    static void writeDoubles(double[] values, DataOutputView out) throws IOException {
        out.writeInt(values.length);
        for (double value : values) {
            out.writeDouble(value);
        }
    }

    static double[] readDoubles(DataInputView in) throws IOException {
        double[] values = new double[in.readInt()];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.readDouble();
        }
        return values;
    }

    static void writeInts(int[] values, DataOutputView out) throws IOException {
        out.writeInt(values.length);
        for (int value : values) {
            out.writeInt(value);
        }
    }

    static int[] readInts(DataInputView in) throws IOException {
        int[] values = new int[in.readInt()];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.readInt();
        }
        return values;
    }
}
