package dev.levee.federated.gateway.topic;

import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.FrameKind;
import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.connectors.kafka.wire.KeyRing;
import dev.levee.federated.gateway.metrics.Refusal;

/**
 * Which frames of a device go to the topics. The gateway refuses contributions that the job would
 * refuse, so that they cost the topic nothing. The job trusts no gateway and checks everything
 * again. What proves a fault of the device, such as values that are not finite, goes through.
 *
 * @param keys the devices' public keys; open in a run without keys
 */
public record Contributions(KeyRing keys) {
    /** Bytes that fields behind the values may take: a weight takes 18. */
    private static final int FIELDS = 256;

    /** Scores have no values, and 1 KiB of fields at most. */
    private static final int SCORES = Frame.HEADER + 1028;

    /** Shares for some thousand neighbors. */
    private static final int SUM = 1 << 19;

    /** The largest gradient frame of a block, bytes. */
    public static int most(PublishedVersion version, int block) {
        return Frame.HEADER + Float.BYTES * version.length(block) + FIELDS;
    }

    /** The largest frame of scores, bytes. */
    public static int mostOfScores() {
        return SCORES;
    }

    /**
     * Checks a block of a contribution, cheapest checks first.
     *
     * @param block the block that the path names
     * @throws RefusedException if the job would not take it
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
     * Checks scores of a version.
     *
     * @throws RefusedException if the job would not take them
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

    /** The largest message of a secure sum, bytes. */
    public static int mostOfSum() {
        return SUM;
    }

    /**
     * Checks a device's message in a secure sum.
     *
     * @throws RefusedException if the job would not take it
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
