package dev.levee.operators.rounds.securesum;

import dev.levee.operators.rounds.securesum.SumMessage.Closing;
import dev.levee.operators.rounds.securesum.SumMessage.Delivery;
import dev.levee.operators.rounds.securesum.SumMessage.Keys;
import dev.levee.operators.rounds.securesum.SumMessage.Reveal;
import dev.levee.operators.rounds.securesum.SumMessage.Roster;
import dev.levee.operators.rounds.securesum.SumMessage.Row;
import dev.levee.operators.rounds.securesum.SumMessage.Shares;

import java.util.List;

/**
 * A device in one secure sum (Bonawitz et al., "Practical Secure Aggregation for Privacy-Preserving
 * Machine Learning", CCS 2017, figure 4, on the graph of Bell et al., CCS 2020). It answers one
 * message of each step: a repeated message gets the same answer, and a different one is refused. So
 * it never reveals shares of both secrets of a neighbor.
 *
 * <p>All its random choices follow from one secret, so a restarted device continues from this
 * secret and the messages that it has answered. Not safe for concurrent use.
 */
public final class SumDevice {
    private final DeviceKeys own;
    private DeviceStage stage;

    /**
     * Creates a device.
     *
     * @param secret 32 random bytes, new for each round
     * @throws IllegalArgumentException if no graph withstands the task's rates; one sentence
     */
    public SumDevice(SumTask task, int id, byte[] secret) {
        task.rates().plan(task.asked());
        own = new DeviceKeys(task, id, secret);
        stage = new DeviceAnnounced(own);
    }

    /**
     * Creates a device that continues after a restart.
     *
     * @param secret the same as before
     * @param answered messages that it has answered, in order
     */
    public SumDevice(SumTask task, int id, byte[] secret, List<SumMessage> answered) {
        this(task, id, secret);
        answered.forEach(each -> stage = stage.hear(each));
    }

    /** Step 1. */
    public Keys keys() {
        return own.announced();
    }

    /**
     * Step 2.
     *
     * @throws IllegalArgumentException if the device does not accept the roster; one sentence
     */
    public Shares share(Roster roster) {
        stage = stage.hear(roster);
        return stage.shares();
    }

    /**
     * Step 3, at most once: the same masks over other values would reveal the difference of the
     * values. A device that may be restarted must store the row before it sends it.
     *
     * @param values not changed
     * @throws IllegalArgumentException if the device has masked values before, or the delivery is
     *     for another device or has shares of too few neighbors; one sentence
     */
    public Row mask(Delivery delivery, int[] values) {
        DeviceStage before = stage;
        DeviceStage next = stage.hear(delivery);
        if (next == before) {
            throw new IllegalArgumentException(
                    "device %d has masked its values already, and sends the same row again"
                            .formatted(own.id()));
        }
        stage = next;
        return stage.row(values);
    }

    /**
     * Step 4.
     *
     * @throws IllegalArgumentException if the device has answered another list, or does not accept
     *     this one; one sentence
     */
    public Reveal reveal(Closing closing) {
        stage = stage.hear(closing);
        return stage.reveal();
    }
}
