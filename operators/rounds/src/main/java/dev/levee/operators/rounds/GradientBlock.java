package dev.levee.operators.rounds;

import java.util.Arrays;
import java.util.List;

/**
 * One block of one participant's contribution: a gradient, or the difference that local work has
 * made. Inside a process, the blocks of a contribution are ranges of one array.
 *
 * @param weight weight of the contribution, above 0; 1 by default
 * @param loss mean loss of the worker's batch; NaN if there is none
 * @param modelAt when the worker had the whole model, microseconds since the epoch
 * @param computedAt when the contribution was ready, or a partial sum left its host, microseconds
 *     since the epoch
 * @param array holds the gradient or difference, then new buffer values; never written after
 *     construction
 * @param from where in the array the block begins
 * @param length coordinates of the block; 0 for an attacker that needs no gradient of its own: the
 *     adversary fills in the values
 * @param halves the noise measured on the whole contribution, in the first block of a round's only
 *     worker; null elsewhere
 * @param partial the sum that the block became part of on its way to the server, in which case the
 *     block has no values of its own; null if it was not summed
 * @param lease of the array, returned by the receiving shard; null if the array is not used again
 */
public record GradientBlock(
        Header header,
        double weight,
        double loss,
        long modelAt,
        long computedAt,
        float[] array,
        int from,
        int length,
        HalfBatches halves,
        PartialSum partial,
        Lease lease) {
    private static final float[] NONE = {};

    /** A block with an array of its own. */
    public GradientBlock(
            Header header,
            double weight,
            double loss,
            long modelAt,
            long computedAt,
            float[] values) {
        this(header, weight, loss, modelAt, computedAt, values, 0, values.length, null, null, null);
    }

    /** A block with an array of its own and weight 1. */
    public GradientBlock(
            Header header, double loss, long modelAt, long computedAt, float[] values) {
        this(header, 1, loss, modelAt, computedAt, values);
    }

    /** The shard it is meant for. */
    public ShardId shard() {
        return new ShardId(header.receiver(), header.block());
    }

    /** The block's values: the array itself, or a copy if the array holds more. */
    public float[] values() {
        return length == array.length ? array : Arrays.copyOfRange(array, from, from + length);
    }

    /** Number of coordinates of its values: the block's, or those of its sum. */
    public int coordinates() {
        return partial == null ? length : partial.sum().length();
    }

    /** The same record with this comparison of halves. */
    public GradientBlock with(HalfBatches told) {
        return new GradientBlock(
                header, weight, loss, modelAt, computedAt, array, from, length, told, null, lease);
    }

    /** The same record without values, for the members of a partial sum. */
    public GradientBlock summed() {
        return new GradientBlock(header, weight, loss, modelAt, computedAt, NONE);
    }

    /**
     * The record that carries a partial sum: that of the sum's first member.
     *
     * @param sentAt when it leaves its host, microseconds since the epoch
     */
    public static GradientBlock of(PartialSum partial, long sentAt) {
        GradientBlock first = partial.members().get(0);
        return new GradientBlock(
                first.header(),
                first.weight(),
                first.loss(),
                first.modelAt(),
                sentAt,
                NONE,
                0,
                0,
                null,
                partial,
                null);
    }

    /** The contributions in the record: the members of a partial sum, or the record itself. */
    public List<GradientBlock> members() {
        return partial == null ? List.of(this) : partial.members();
    }

    /** The same record with other values, as an attacker sends it. */
    public GradientBlock with(float[] forged) {
        return new GradientBlock(header, weight, loss, modelAt, computedAt, forged);
    }
}
