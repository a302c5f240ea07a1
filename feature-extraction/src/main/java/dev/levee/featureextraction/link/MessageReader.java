package dev.levee.featureextraction.link;

import dev.levee.connectors.data.packed.PackedFolder;
import dev.levee.featureextraction.extract.Augmentation;
import dev.levee.featureextraction.extract.Encoding;
import dev.levee.featureextraction.extract.Extraction;
import dev.levee.featureextraction.extract.FeatureBatch;
import dev.levee.featureextraction.extract.FeatureRequest;
import dev.levee.featureextraction.extract.Scaling;
import dev.levee.learners.layers.Cut;
import dev.levee.learners.layers.LayeredNetwork;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;

/** Reads the messages of a {@link MessageStream}. */
final class MessageReader {
    private static final int LONGEST_LIST = 1 << 30;
    private static final int LARGEST_SIDE = 1 << 14;
    private static final int MOST_PARAMETERS = LONGEST_LIST / Float.BYTES;

    private static final Encoding[] ENCODINGS = Encoding.values();

    /** The messages that a storage tier reads. */
    private static final Map<Byte, Class<? extends Message>> KINDS =
            Map.of(
                    MessageStream.HELLO, Message.Hello.class,
                    MessageStream.PARAMETERS, Message.Parameters.class,
                    MessageStream.ASK, Message.Ask.class);

    private final CRC32C read = new CRC32C();
    private final CountedInput counted;
    private final LinkMeter meter;
    private final DataInputStream in;

    MessageReader(CountedInput counted, LinkMeter meter) {
        this.counted = counted;
        this.meter = meter;
        in = new DataInputStream(new CheckedInputStream(new BufferedInputStream(counted), read));
    }

    Message read() throws IOException {
        read.reset();
        return message(in.readByte(), MOST_PARAMETERS);
    }

    <M extends Message> M read(Class<M> kind, int parameters) throws IOException {
        read.reset();
        byte code = in.readByte();
        if (KINDS.get(code) != kind) {
            throw new IOException("a message of unexpected kind " + code);
        }
        return kind.cast(message(code, Math.min(parameters, MOST_PARAMETERS)));
    }

    private Message message(byte kind, int parameters) throws IOException {
        if (kind == MessageStream.HELLO) {
            Greeting greeting = greeting();
            sum();
            return greeting.message();
        }
        Message message = fields(kind, parameters);
        sum();
        return message;
    }

    /** Compares the checksum of the bytes since the message's start with the next number. */
    private void sum() throws IOException {
        int sum = (int) read.getValue();
        if (in.readInt() != sum) {
            throw new IOException("a message was damaged in transit");
        }
    }

    private Message fields(byte kind, int parameters) throws IOException {
        return switch (kind) {
            case MessageStream.WELCOME -> new Message.Welcome(in.readBoolean());
            case MessageStream.PARAMETERS -> new Message.Parameters(floats(length(parameters)));
            case MessageStream.ASK -> new Message.Ask(request());
            case MessageStream.ANSWER -> new Message.Answer(paced());
            case MessageStream.FAILED ->
                    new Message.Failed(in.readInt(), in.readBoolean(), in.readUTF());
            case MessageStream.ALIVE -> new Message.Alive(in.readLong(), in.readDouble());
            default -> throw new IOException("a message of unknown kind " + kind);
        };
    }

    /** The fields of a greeting, which are used only if they arrived undamaged. */
    private interface Greeting {
        Message.Hello message() throws RefusedException;
    }

    private Greeting greeting() throws IOException {
        byte version = in.readByte();
        if (version != MessageStream.VERSION) {
            throw new RefusedException(
                    "the other side speaks version %d, not %d"
                            .formatted(version, MessageStream.VERSION));
        }
        String tenant = in.readUTF();
        String parameters = in.readUTF();
        String name = in.readUTF();
        int side = in.readInt();
        int classes = in.readInt();
        Cut cut = new Cut(in.readInt(), in.readInt());
        float[] means = {in.readFloat(), in.readFloat(), in.readFloat()};
        float[] deviations = {in.readFloat(), in.readFloat(), in.readFloat()};
        int microBatch = in.readInt();
        int mostImages = in.readInt();
        int encoding = in.readUnsignedByte();
        long seed = in.readLong();
        int view = in.readInt();
        return () -> {
            if (encoding >= ENCODINGS.length) {
                throw new RefusedException(
                        "features are asked for in an unknown encoding " + encoding);
            }
            if (side < 1 || side > LARGEST_SIDE) {
                throw new RefusedException("images of " + side + " pixels are asked for");
            }
            try {
                LayeredNetwork network =
                        LayeredNetwork.open(name, new int[] {3, side, side}, classes);
                if (cut.steps() < 0 || cut.steps() > network.end().steps()) {
                    throw new RefusedException(name + " cannot be cut behind step " + cut.steps());
                }
                Extraction extraction =
                        new Extraction(
                                network,
                                cut,
                                new Scaling(means, deviations),
                                microBatch,
                                mostImages,
                                ENCODINGS[encoding],
                                new Augmentation(seed, view));
                return new Message.Hello(tenant, extraction, parameters);
            } catch (IllegalArgumentException | ArithmeticException e) {
                throw new RefusedException(e.getMessage());
            }
        };
    }

    private FeatureRequest request() throws IOException {
        try {
            return new FeatureRequest(
                    in.readInt(), in.readUTF(), in.readInt(), in.readInt(), listed());
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private PackedFolder.Contents listed() throws IOException {
        return new PackedFolder.Contents(in.readInt(), in.readLong(), in.readUTF());
    }

    /** Reads an answer and measures the link. Bytes that had already arrived do not count. */
    private FeatureBatch paced() throws IOException {
        long before = counted.count() + counted.available();
        LongSupplier arrived = () -> Math.max(0, counted.count() - before);
        meter.begin(arrived);
        try {
            return batch();
        } finally {
            meter.end(arrived);
        }
    }

    private FeatureBatch batch() throws IOException {
        int index = in.readInt();
        long store = in.readLong();
        long decode = in.readLong();
        long compute = in.readLong();
        int[] labels = new int[length(LONGEST_LIST / Integer.BYTES)];
        for (int i = 0; i < labels.length; i++) {
            labels[i] = in.readInt();
        }
        List<String> bad = new ArrayList<>();
        for (int left = length(LONGEST_LIST); left > 0; left--) {
            bad.add(in.readUTF());
        }
        byte[] payload = bytes(length(FeatureBatch.LONGEST_PAYLOAD));
        return new FeatureBatch(index, labels, payload, bad, store, decode, compute);
    }

    private int length(int most) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > most) {
            throw new IOException("a message claims a list of " + length);
        }
        sum();
        return length;
    }

    /** The array grows with the received data, not with the claimed length. */
    private float[] floats(int count) throws IOException {
        byte[] chunk = new byte[MessageStream.CHUNK];
        float[] values = new float[Math.min(count, MessageStream.CHUNK)];
        for (int at = 0; at < count; ) {
            int next = Math.min(MessageStream.CHUNK / Float.BYTES, count - at);
            in.readFully(chunk, 0, next * Float.BYTES);
            if (at + next > values.length) {
                values = Arrays.copyOf(values, (int) Math.min(count, 2L * values.length));
            }
            ByteBuffer.wrap(chunk).asFloatBuffer().get(values, at, next);
            at += next;
        }
        return values;
    }

    private byte[] bytes(int length) throws IOException {
        // The array grows with the received data, not with the claimed length.
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException();
        }
        return bytes;
    }
}
