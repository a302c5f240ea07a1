package dev.levee.gar.python;

import dev.levee.gar.Aggregator;
import dev.levee.gar.Attack;
import dev.levee.gar.Attacks;
import dev.levee.gar.Rule;
import dev.levee.gar.block.BufferRows;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Rules and attacks on matrices in memory outside the heap. The Python package calls these methods
 * in its own process, so they take byte buffers and numbers. A matrix is n rows of d floats in the
 * machine's byte order.
 */
public final class NativeArrays {
    private NativeArrays() {}

    /**
     * The rows of one buffer, at a fixed distance from each other.
     *
     * @param values the matrix, from its first row's first coordinate on
     * @param count number of rows, n
     * @param length coordinates of each row, d
     * @param stride floats from the beginning of one row to the beginning of the next
     */
    public static BufferRows rows(ByteBuffer values, int count, int length, int stride) {
        List<ByteBuffer> rows = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            rows.add(values.slice(i * stride * Float.BYTES, length * Float.BYTES));
        }
        return BufferRows.ofBytes(rows);
    }

    /**
     * The rows of a matrix with one buffer per row, for matrices beyond a buffer's limit of 2 GiB.
     */
    public static BufferRows rows(List<ByteBuffer> rows) {
        return BufferRows.ofBytes(rows);
    }

    /**
     * Aggregates one round.
     *
     * @param aggregator has the rule, f and the state of earlier rounds
     * @param rows n rows of d coordinates; not changed
     * @param weights n weights of the rows, null for none
     * @param scores n scores of the rows, null for none
     * @param out receives d floats
     * @throws IllegalArgumentException as {@link Aggregator#aggregate(BufferRows,
     *     java.util.function.UnaryOperator, FloatBuffer)}
     */
    public static void aggregate(
            Aggregator aggregator,
            BufferRows rows,
            double[] weights,
            double[] scores,
            ByteBuffer out) {
        aggregator.aggregate(
                rows,
                round -> round.withWeights(given(weights)).withScores(given(scores)),
                floats(out));
    }

    /**
     * Aggregates rows at a fixed distance from each other, as a first round. One call does all of
     * it, because each call from another language costs time.
     *
     * @param rule the rule
     * @param f number of Byzantine rows to tolerate
     * @param seed seed of the rule's random draws, if any
     * @param threads threads to use, at least 1
     * @param values memory that has the matrix
     * @param first byte of the matrix's first coordinate
     * @param count number of rows, n
     * @param length coordinates of each row, d
     * @param stride floats from the beginning of one row to the beginning of the next
     * @param out memory that receives d floats
     * @param to index of the first byte of these floats
     * @throws IllegalArgumentException if the rows are too few for f, or the rule needs scores
     */
    public static void aggregateOnce(
            Rule rule,
            int f,
            long seed,
            int threads,
            ByteBuffer values,
            int first,
            int count,
            int length,
            int stride,
            ByteBuffer out,
            int to) {
        int size = count == 0 ? 0 : ((count - 1) * stride + length) * Float.BYTES;
        BufferRows rows = rows(values.slice(first, size), count, length, stride);
        Aggregator aggregator = new Aggregator(rule, f, seed).threads(threads);
        aggregate(aggregator, rows, null, null, out.slice(to, length * Float.BYTES));
    }

    /**
     * Forges the rows of attackers. Copies the honest rows to the heap.
     *
     * @param attack the attack that makes their rows
     * @param honest n honest rows of d coordinates; not changed
     * @param attackers number of attackers, m
     * @param round the round's number
     * @param seed seed of the attack's random draws, if any
     * @param out receives m rows of d floats, one after another
     * @throws IllegalArgumentException as {@link Attacks#rows}
     */
    public static void attack(
            Attack attack,
            BufferRows honest,
            int attackers,
            long round,
            long seed,
            ByteBuffer out) {
        FloatBuffer forged = floats(out);
        for (float[] row : Attacks.rows(attack, honest.toArrays(), attackers, round, seed)) {
            forged.put(row);
        }
    }

    private static double[] given(double[] values) {
        return values == null ? new double[0] : values;
    }

    private static FloatBuffer floats(ByteBuffer bytes) {
        return bytes.duplicate().order(ByteOrder.nativeOrder()).asFloatBuffer();
    }
}
