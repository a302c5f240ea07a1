package dev.levee.operators.testing.securesum;

import dev.levee.operators.rounds.securesum.SumMessage;

import java.util.function.UnaryOperator;

/**
 * The behavior of one device in a secure sum.
 *
 * @param steps number of the four steps that it takes before it leaves
 * @param delayMicros transit time of each of its messages, in microseconds
 * @param says maps each message to the one that it sends instead
 */
public record DeviceBehavior(
        int steps, long delayMicros, UnaryOperator<SumMessage.FromDevice> says) {
    /** All steps of a sum. */
    public static final int ALL = 4;

    /** An honest device that leaves after a number of steps. */
    public static DeviceBehavior leavingAfter(int steps) {
        return new DeviceBehavior(steps, 1, UnaryOperator.identity());
    }
}
