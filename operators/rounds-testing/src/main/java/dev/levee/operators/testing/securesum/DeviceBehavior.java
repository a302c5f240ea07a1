package dev.levee.operators.testing.securesum;

import dev.levee.operators.rounds.securesum.SumMessage;

import java.util.function.UnaryOperator;

/**
 * The behavior of one device in a secure sum.
 *
 * @param steps how many of the four steps it takes before it leaves
 * @param delayMicros how long each of its messages takes
 * @param says the message that it sends instead
 */
public record DeviceBehavior(
        int steps, long delayMicros, UnaryOperator<SumMessage.FromDevice> says) {
    /** All steps of a sum. */
    public static final int ALL = 4;

    /** An honest device that takes so many steps. */
    public static DeviceBehavior leavingAfter(int steps) {
        return new DeviceBehavior(steps, 1, UnaryOperator.identity());
    }
}
