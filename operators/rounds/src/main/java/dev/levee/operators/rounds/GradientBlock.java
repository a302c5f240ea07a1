package dev.levee.operators.rounds;

import java.util.Arrays;
import java.util.List;

/**
 * One block of one participant's contribution: a gradient, or the difference that local work has
 * made. Inside a process the blocks of a contribution share one array, of which each is a range.
 *
 * @param weight weight of the contribution, above 0; 1 if it is not weighted
 * @param loss mean loss of the worker's batch; NaN if it made none
 * @param modelAt when the worker had the whole model, microseconds since the epoch
 * @param computedAt when the contribution was ready, or a partial sum left its host, microseconds
 *     since the epoch
 * @param array holds the gradient or difference, then new buffer values; never written after
 *     construction
 * @param from where in the array the block begins
 * @param length coordinates of the block; 0 for an attacker that needs no gradient of its own,
 *     which the adversary replaces
 * @param halves of the whole contribution, in the first block of a round's only worker where noise
 *     is measured; null elsewhere
 * @param partial what the block was added up with on its way to the server, itself included; null
 *     where it comes alone. The block has no values of its own then
 * @param lease of the array, returned by the shard that it is meant for; null where the array is
 *     not used again
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

    /** A block that is an array of its own. */
    public GradientBlock(
            Header header,
            double weight,
            double loss,
            long modelAt,
            long computedAt,
            float[] values) {
        this(header, weight, loss, modelAt, computedAt, values, 0, values.length, null, null, null);
    }

    /** A block that is an array of its own and counts like any other. */
    public GradientBlock(
            Header header, double loss, long modelAt, long computedAt, float[] values) {
        this(header, 1, loss, modelAt, computedAt, values);
    }

    /** The shard it is meant for. */
    public ShardId shard() {
        return new ShardId(header.receiver(), header.block());
    }

    /** The block's values: its array, or a copy where that holds more. */
    public float[] values() {
        return length == array.length ? array : Arrays.copyOfRange(array, from, from + length);
    }

    /** The same record, which says this of halves. */
    public GradientBlock with(HalfBatches told) {
        return new GradientBlock(
                header, weight, loss, modelAt, computedAt, array, from, length, told, null, lease);
    }

    /** The same record without values, which were added up. */
    public GradientBlock summed() {
        return new GradientBlock(header, weight, loss, modelAt, computedAt, NONE);
    }

    /**
     * The record by which a partial sum travels, that of its first member.
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
