package dev.levee.federated.gateway.topic;

import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.FrameKind;
import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.connectors.kafka.wire.KeyRing;
import dev.levee.federated.gateway.metrics.Refusal;

/**
 * Decides which frames of a device are written to the topics. The gateway refuses contributions
 * that the job would refuse, so that they do not load the topic. The job trusts no gateway and
 * repeats all checks. Contributions that prove a fault of the device, such as non-finite values,
 * are passed on.
 *
 * @param keys the devices' public keys; accepts all devices in a run without keys
 */
public record Contributions(KeyRing keys) {
    /** Maximum size in bytes of the fields after the values; a weight takes 18. */
    private static final int FIELDS = 256;

    /**
     * Maximum size in bytes of a frame of scores, which has no values and at most 1 KiB of fields.
     */
    private static final int SCORES = Frame.HEADER + 1028;

    /** Maximum size in bytes of a message in a secure sum: shares for some thousand neighbors. */
    private static final int SUM = 1 << 19;

    /** The size of the largest gradient frame of a block, in bytes. */
    public static int most(PublishedVersion version, int block) {
        return Frame.HEADER + Float.BYTES * version.length(block) + FIELDS;
    }

    /** The size of the largest frame of scores, in bytes. */
    public static int mostOfScores() {
        return SCORES;
    }

    /**
     * Checks a block of a contribution, with the cheapest checks first.
     *
     * @param block the block that the path names
     * @throws RefusedException if the job would refuse it
     */
    public void checkGradient(byte[] record, int device, AnsweredVersion version, int block)
            throws RefusedException {
        Frame frame = frame(record, FrameKind.GRADIENT);
        require(
                frame.run() == version.run()
                        && frame.round() == version.version()
                        && frame.block() == block,
                Refusal.WRONG_PLACE,
                "the frame belongs to another run, version or block than the path");
        require(
                frame.blocks() == version.shape().blocks()
                        && frame.length() == version.shape().length(block),
                Refusal.WRONG_SIZE,
                "the frame has another number of values or blocks than the model");
        checkSender(frame, device);
    }

    /**
     * Checks the scores of a version.
     *
     * @throws RefusedException if the job would refuse them
     */
    public void checkScores(byte[] record, int device, PublishedVersion version)
            throws RefusedException {
        check(frame(record, FrameKind.SCORES), device, version.run(), version.version());
    }

    private void check(Frame frame, int device, long run, long version) throws RefusedException {
        require(
                frame.run() == run && frame.round() == version,
                Refusal.WRONG_PLACE,
                "the frame belongs to another run or version than the path");
        checkSender(frame, device);
    }

    /** The size of the largest message in a secure sum, in bytes. */
    public static int mostOfSum() {
        return SUM;
    }

    /**
     * Checks a device's message in a secure sum.
     *
     * @throws RefusedException if the job would refuse it
     */
    public void checkSum(byte[] record, int device, AnsweredVersion version)
            throws RefusedException {
        check(frame(record, FrameKind.SUM), device, version.run(), version.version());
    }

    private static Frame frame(byte[] record, FrameKind kind) throws RefusedException {
        Frame frame = Frame.read(record).orElse(null);
        if (frame == null) {
            throw new RefusedException(Refusal.MALFORMED, "not a frame: " + Frame.flaw(record));
        }
        require(frame.kind() == kind, Refusal.WRONG_PLACE, "a frame of kind " + frame.kind());
        return frame;
    }

    private void checkSender(Frame frame, int device) throws RefusedException {
        require(
                frame.sender() == device,
                Refusal.OTHER_SENDER,
                "the frame is in the name of another device");
        require(frame.intact(), Refusal.ALTERED, "the checksum does not match the frame");
        require(
                keys.workers() == null || keys.knows(device) && frame.signedBy(keys.of(device)),
                Refusal.FORGED,
                "the signature is not from " + KeyDirectory.name(device));
    }

    private static void require(boolean holds, Refusal refusal, String message)
            throws RefusedException {
        if (!holds) {
            throw new RefusedException(refusal, message);
        }
    }
}
