package dev.levee.connectors.data.internal.npz;

import dev.levee.connectors.data.NumpyValues;
import dev.levee.connectors.data.internal.file.Memory;
import dev.levee.connectors.data.internal.table.TableBuilder;

import java.io.IOException;
import java.util.Arrays;

/** Targets in an array of numbers or booleans, one sample after the other. */
final class NpzTargets implements NpzAnswers {
    private static final int CHUNK = 1 << 13;

    private final double[] values;
    private final int count;
    private final int each;
    private final boolean byColumns;

    private NpzTargets(double[] values, int count, int each, boolean byColumns) {
        this.values = values;
        this.count = count;
        this.each = each;
        this.byColumns = byColumns;
    }

    /** Takes an array of shape (n) or (n, k). */
    static NpzTargets read(NumpyValues values) throws IOException {
        long[] shape = values.shape();
        if (shape.length < 1 || shape.length > 2 || shape[shape.length - 1] == 0) {
            throw values.wrong(
                    "has shape "
                            + Arrays.toString(shape)
                            + ", but targets are (samples) or (samples, targets)");
        }
        if (!values.areNumbers()) {
            throw values.wrong("has type " + values.type() + ", but targets are numbers");
        }
        long each = shape.length == 1 ? 1 : shape[1];
        long numbers = Math.multiplyExact(shape[0], each);
        Memory.check("the array of targets", Math.multiplyExact(numbers, (long) Double.BYTES));
        double[] read = new double[Math.toIntExact(numbers)];
        double[] chunk = new double[CHUNK];
        for (int from = 0; from < read.length; from += CHUNK) {
            int step = Math.min(CHUNK, read.length - from);
            values.read(chunk, step);
            System.arraycopy(chunk, 0, read, from, step);
        }
        return new NpzTargets(read, (int) shape[0], (int) each, values.byColumns());
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public int each() {
        return each;
    }

    @Override
    public void add(TableBuilder table, int row, int column) {
        for (int i = 0; i < each; i++) {
            table.number(row, column, i, values[byColumns ? i * count + row : row * each + i]);
        }
    }
}
