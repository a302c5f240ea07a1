package dev.levee.featureextraction.link;

import dev.levee.featureextraction.extract.FeatureBatch;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * An answer as bytes: CRC-32C of the rest, version, index of the request, three times in
 * nanoseconds, labels, sentences about what was bad, payload; each list with its length before it.
 */
public final class FeatureFrame {
    private static final byte VERSION = 1;

    /** Where the checksum ends. */
    private static final int SUMMED = Integer.BYTES;

    private FeatureFrame() {}

    /** Writes an answer. */
    public static byte[] encode(FeatureBatch batch) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(batch.payload().length + 1024);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(0);
            out.writeByte(VERSION);
            out.writeInt(batch.index());
            out.writeLong(batch.storeNanos());
            out.writeLong(batch.decodeNanos());
            out.writeLong(batch.computeNanos());
            out.writeInt(batch.labels().length);
            for (int label : batch.labels()) {
                out.writeInt(label);
            }
            out.writeInt(batch.bad().size());
            for (String sentence : batch.bad()) {
                out.writeUTF(sentence);
            }
            out.writeInt(batch.payload().length);
            out.write(batch.payload());
        } catch (IOException e) {
            throw new UncheckedIOException(e); // an array takes all
        }
        byte[] frame = bytes.toByteArray();
        int sum = sum(frame);
        for (int i = 0; i < SUMMED; i++) {
            frame[i] = (byte) (sum >> Byte.SIZE * (SUMMED - 1 - i));
        }
        return frame;
    }

    /**
     * Reads an answer.
     *
     * @throws IOException if it is damaged
     */
    public static FeatureBatch decode(byte[] frame) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(frame))) {
            if (in.readInt() != sum(frame) || in.readByte() != VERSION) {
                throw new IOException("a frame of features is damaged or of another version");
            }
            int index = in.readInt();
            long store = in.readLong();
            long decode = in.readLong();
            long compute = in.readLong();
            int[] labels = new int[in.readInt()];
            for (int i = 0; i < labels.length; i++) {
                labels[i] = in.readInt();
            }
            List<String> bad = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                bad.add(in.readUTF());
            }
            byte[] payload = in.readNBytes(in.readInt());
            return new FeatureBatch(index, labels, payload, bad, store, decode, compute);
        }
    }

    private static int sum(byte[] frame) {
        CRC32C sum = new CRC32C();
        sum.update(frame, SUMMED, Math.max(0, frame.length - SUMMED));
        return (int) sum.getValue();
    }
}
