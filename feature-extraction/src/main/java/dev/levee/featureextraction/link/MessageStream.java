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
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;

/**
 * Sends and receives messages over a socket. A message is a byte with the type, the fields in
 * order, each list preceded by its length, and a CRC-32C of all these bytes. Numbers are
 * big-endian, and text is in the format of {@link DataOutputStream#writeUTF}. One thread may read
 * while another writes.
 */
public final class MessageStream implements Closeable {
    private static final byte VERSION = 4;

    private static final int LONGEST_LIST = 1 << 30;
    private static final int LARGEST_SIDE = 1 << 14;
    private static final int CHUNK = 1 << 16;

    /**
     * Maximum length of a sentence: {@link DataOutputStream#writeUTF} accepts 65,535 bytes, and a
     * character takes up to three.
     */
    private static final int LONGEST_SENTENCE = 20_000;

    private static final Encoding[] ENCODINGS = Encoding.values();

    private static final byte HELLO = 1;
    private static final byte WELCOME = 2;
    private static final byte PARAMETERS = 3;
    private static final byte ASK = 4;
    private static final byte ANSWER = 5;
    private static final byte FAILED = 6;
    private static final byte ALIVE = 7;

    private final Socket socket;
    private final CRC32C read = new CRC32C();
    private final CRC32C written = new CRC32C();
    private final CountedInput counted;
    private final DataInputStream in;
    private final DataOutputStream out;
    private final LinkMeter meter;

    /** Opens a stream over a connected socket, which is closed with the stream. */
    public MessageStream(Socket socket) throws IOException {
        this(socket, new LinkMeter());
    }

    /**
     * As above.
     *
     * @param meter measures the rate of answers while this side waits only for the link
     */
    public MessageStream(Socket socket, LinkMeter meter) throws IOException {
        this.socket = socket;
        this.meter = meter;
        socket.setTcpNoDelay(true);
        counted = new CountedInput(socket.getInputStream());
        in = new DataInputStream(new CheckedInputStream(new BufferedInputStream(counted), read));
        out =
                new DataOutputStream(
                        new CheckedOutputStream(
                                new BufferedOutputStream(socket.getOutputStream(), 1 << 16),
                                written));
    }

    /** SHA-256 of parameters, in hexadecimal. */
    public static String hash(float[] parameters) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            inChunks(parameters, (bytes, length) -> digest.update(bytes, 0, length));
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException | IOException e) {
            throw new IllegalStateException(e); // SHA-256 is always there, and digests do no I/O
        }
    }

    /**
     * Passes values on as bytes, in chunks, because there may be no memory for a second copy of the
     * parameters.
     */
    private static void inChunks(float[] values, Chunks to) throws IOException {
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK);
        for (int at = 0; at < values.length; at += CHUNK / Float.BYTES) {
            int count = Math.min(CHUNK / Float.BYTES, values.length - at);
            chunk.asFloatBuffer().put(values, at, count);
            to.take(chunk.array(), count * Float.BYTES);
        }
    }

    private interface Chunks {
        void take(byte[] bytes, int length) throws IOException;
    }

    /** Bytes received so far. */
    public long received() {
        return counted.count();
    }

    /** Bytes sent so far; other threads may see an earlier number. */
    public long sent() {
        return out.size();
    }

    /** Sends a message. */
    public synchronized void write(Message message) throws IOException {
        written.reset();
        if (message instanceof Message.Hello hello) {
            out.writeByte(HELLO);
            out.writeByte(VERSION);
            out.writeUTF(hello.tenant());
            write(hello.extraction());
            out.writeUTF(hello.parameters());
        } else if (message instanceof Message.Welcome welcome) {
            out.writeByte(WELCOME);
            out.writeBoolean(welcome.parametersWanted());
        } else if (message instanceof Message.Parameters parameters) {
            out.writeByte(PARAMETERS);
            out.writeInt(parameters.values().length);
            inChunks(parameters.values(), (bytes, length) -> out.write(bytes, 0, length));
        } else if (message instanceof Message.Ask ask) {
            out.writeByte(ASK);
            out.writeInt(ask.request().index());
            out.writeUTF(ask.request().object());
            out.writeInt(ask.request().from());
            out.writeInt(ask.request().to());
            write(ask.request().listed());
        } else if (message instanceof Message.Answer answer) {
            out.writeByte(ANSWER);
            write(answer.batch());
        } else if (message instanceof Message.Failed failed) {
            out.writeByte(FAILED);
            out.writeInt(failed.index());
            out.writeBoolean(failed.forGood());
            out.writeUTF(shortened(failed.sentence()));
        } else if (message instanceof Message.Alive alive) {
            out.writeByte(ALIVE);
            out.writeLong(alive.done());
            out.writeDouble(alive.longestWait());
        }
        out.writeInt((int) written.getValue());
        out.flush();
    }

    private static String shortened(String sentence) {
        return sentence.substring(0, Math.min(sentence.length(), LONGEST_SENTENCE));
    }

    private void write(Extraction extraction) throws IOException {
        LayeredNetwork network = extraction.network();
        out.writeUTF(network.name());
        out.writeInt(network.shape()[1]);
        out.writeInt(network.classes());
        out.writeInt(extraction.cut().layer());
        out.writeInt(extraction.cut().steps());
        for (float mean : extraction.scaling().mean()) {
            out.writeFloat(mean);
        }
        for (float deviation : extraction.scaling().deviation()) {
            out.writeFloat(deviation);
        }
        out.writeInt(extraction.microBatch());
        out.writeInt(extraction.mostImages());
        out.writeByte(extraction.encoding().ordinal());
        out.writeLong(extraction.augmentation().seed());
        out.writeInt(extraction.augmentation().view());
    }

    private void write(PackedFolder.Item listed) throws IOException {
        out.writeUTF(listed.name());
        out.writeInt(listed.images());
        out.writeLong(listed.bytes());
        out.writeUTF(listed.hash());
        out.writeUTF(listed.table());
    }

    private void write(FeatureBatch batch) throws IOException {
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
            out.writeUTF(shortened(sentence));
        }
        out.writeInt(batch.payload().length);
        out.write(batch.payload());
    }

    /**
     * Waits for a message.
     *
     * @throws IOException if the connection ends or a message is damaged
     */
    public Message read() throws IOException {
        read.reset();
        Message message = message();
        int sum = (int) read.getValue();
        if (in.readInt() != sum) {
            throw new IOException("a message was damaged in transit");
        }
        return message;
    }

    private Message message() throws IOException {
        byte kind = in.readByte();
        return switch (kind) {
            case HELLO -> hello();
            case WELCOME -> new Message.Welcome(in.readBoolean());
            case PARAMETERS -> new Message.Parameters(floats(length(LONGEST_LIST / Float.BYTES)));
            case ASK -> new Message.Ask(request());
            case ANSWER -> new Message.Answer(paced());
            case FAILED -> new Message.Failed(in.readInt(), in.readBoolean(), in.readUTF());
            case ALIVE -> new Message.Alive(in.readLong(), in.readDouble());
            default -> throw new IOException("a message of unknown kind " + kind);
        };
    }

    private Message.Hello hello() throws IOException {
        byte version = in.readByte();
        if (version != VERSION) {
            throw new IOException(
                    "the other side speaks version %d, not %d".formatted(version, VERSION));
        }
        return new Message.Hello(in.readUTF(), extraction(), in.readUTF());
    }

    private Extraction extraction() throws IOException {
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
        if (encoding >= ENCODINGS.length) {
            throw new IOException("features are asked for in an unknown encoding " + encoding);
        }
        if (side < 1 || side > LARGEST_SIDE) {
            throw new IOException("images of " + side + " pixels are asked for");
        }
        try {
            LayeredNetwork network = LayeredNetwork.open(name, new int[] {3, side, side}, classes);
            if (cut.steps() < 0 || cut.steps() > network.end().steps()) {
                throw new IOException(name + " cannot be cut behind step " + cut.steps());
            }
            return new Extraction(
                    network,
                    cut,
                    new Scaling(means, deviations),
                    microBatch,
                    mostImages,
                    ENCODINGS[encoding],
                    new Augmentation(seed, view));
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private FeatureRequest request() throws IOException {
        try {
            return new FeatureRequest(
                    in.readInt(), in.readUTF(), in.readInt(), in.readInt(), listed());
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private PackedFolder.Item listed() throws IOException {
        return new PackedFolder.Item(
                in.readUTF(), in.readInt(), in.readLong(), in.readUTF(), in.readUTF());
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
        byte[] payload = bytes(length(LONGEST_LIST));
        return new FeatureBatch(index, labels, payload, bad, store, decode, compute);
    }

    private int length(int most) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > most) {
            throw new IOException("a message claims a list of " + length);
        }
        return length;
    }

    /** The array grows with the received data, not with the claimed length. */
    private float[] floats(int count) throws IOException {
        byte[] chunk = new byte[CHUNK];
        float[] values = new float[Math.min(count, CHUNK)];
        for (int at = 0; at < count; ) {
            int next = Math.min(CHUNK / Float.BYTES, count - at);
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

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
