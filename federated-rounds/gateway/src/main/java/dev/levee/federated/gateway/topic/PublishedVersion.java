package dev.levee.federated.gateway.topic;

import dev.levee.connectors.kafka.versions.NewestVersion;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.operators.rounds.Settings;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * A version of the model as devices download it: its frames by block, each after its length (int32,
 * little-endian). The frames are Kafka's byte arrays, which are never copied.
 */
public final class PublishedVersion {
    private static final int TAG_BYTES = 12;

    private final long run;
    private final long version;
    private final Settings settings;
    private final int evaluator;
    private final int[] lengths;
    private final List<ByteBuffer> parts;
    private final long[] offsets;
    private final String etag;

    private PublishedVersion(NewestVersion.Found found) {
        List<Frame> frames = found.frames();
        Frame first = frames.get(0);
        this.run = found.run();
        this.version = found.version();
        this.settings = first.settings();
        this.evaluator = first.evaluator();
        this.lengths = frames.stream().mapToInt(Frame::length).toArray();
        List<ByteBuffer> all = new ArrayList<>();
        MessageDigest digest = sha256();
        for (Frame frame : frames) {
            ByteBuffer record = frame.record();
            ByteBuffer length = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            all.add(length.putInt(0, record.remaining()).asReadOnlyBuffer());
            all.add(record);
            digest.update(frame.checksum());
        }
        this.parts = List.copyOf(all);
        this.offsets = new long[parts.size() + 1];
        for (int i = 0; i < parts.size(); i++) {
            offsets[i + 1] = offsets[i] + parts.get(i).remaining();
        }
        String hash = HexFormat.of().formatHex(digest.digest(), 0, TAG_BYTES);
        this.etag = '"' + id() + '-' + hash + '"';
    }

    /** Creates a version of a run with one server. */
    public static PublishedVersion of(NewestVersion.Found found) {
        return new PublishedVersion(found);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The run of the version. */
    public long run() {
        return run;
    }

    /** The number of the version. */
    public long version() {
        return version;
    }

    /** The settings of the version's round. */
    public Settings settings() {
        return settings;
    }

    /** The id in paths: run and number. */
    public String id() {
        return new VersionId(run, version).toString();
    }

    /** A strong entity tag in quotes, which differs for different bytes. */
    public String etag() {
        return etag;
    }

    /** Number of blocks. */
    public int blocks() {
        return lengths.length;
    }

    /** Number of values of a block. */
    public int length(int block) {
        return lengths[block];
    }

    /** The size of the download in bytes. */
    public long bytes() {
        return offsets[parts.size()];
    }

    /** True if a device must train, evaluate, or end because of this version. */
    public boolean concerns(int device) {
        return settings.stop() || asks(device) || settings.evaluate() && evaluator == device;
    }

    /** True if a device must contribute to this version's round. */
    public boolean asks(int device) {
        return settings.asks(device);
    }

    /** True if a device must evaluate this version. */
    public boolean asksToEvaluate(int device) {
        return settings.evaluate() && evaluator == device;
    }

    /** True if this version is newer than another. */
    public boolean newerThan(long otherRun, long otherVersion) {
        return run > otherRun || run == otherRun && version > otherVersion;
    }

    /** A read-only part of the download that starts at an offset and has at least one byte. */
    public ByteBuffer slice(long from, int most) {
        int found = Arrays.binarySearch(offsets, from);
        int part = found >= 0 ? found : -found - 2;
        ByteBuffer bytes = parts.get(part);
        int start = (int) (from - offsets[part]);
        return bytes.slice(start, Math.min(most, bytes.remaining() - start));
    }
}
