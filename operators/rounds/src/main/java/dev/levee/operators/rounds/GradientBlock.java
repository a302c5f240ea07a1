package dev.levee.operators.rounds;

/**
 * One block of one worker's gradient.
 *
 * @param loss mean loss of the worker's batch; NaN if it made none
 * @param modelAt when the worker had the whole model, microseconds since the epoch
 * @param computedAt when the gradient was ready, microseconds since the epoch
 * @param values the gradient, then new buffer values; never written after construction; empty for
 *     an attacker that needs no gradient of its own, which the adversary replaces
 */
public record GradientBlock(
        Header header, double loss, long modelAt, long computedAt, float[] values) {
    /** The same record with other values, as an attacker sends it. */
    public GradientBlock with(float[] forged) {
        return new GradientBlock(header, loss, modelAt, computedAt, forged);
    }
}
