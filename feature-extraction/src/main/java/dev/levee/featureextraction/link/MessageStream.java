package dev.levee.featureextraction.link;

import dev.levee.connectors.data.packed.PackedFolder;
import dev.levee.featureextraction.extract.Extraction;
import dev.levee.featureextraction.extract.FeatureBatch;
import dev.levee.learners.layers.LayeredNetwork;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;

/**
 * Sends and receives messages over a socket. A message is a byte with the type, the fields in
 * order, each list preceded by its length and a CRC-32C of all bytes before, and a CRC-32C of all
 * these bytes. Numbers are big-endian, and text is in the format of {@link
 * DataOutputStream#writeUTF}. One thread may read while another writes.
 */
public final class MessageStream implements Closeable {
    static final byte VERSION = 4;

    static final int CHUNK = 1 << 16;

    /**
     * Maximum length of a sentence: {@link DataOutputStream#writeUTF} accepts 65,535 bytes, and a
     * character takes up to three.
     */
    private static final int LONGEST_SENTENCE = 20_000;

    static final byte HELLO = 1;
    static final byte WELCOME = 2;
    static final byte PARAMETERS = 3;
    static final byte ASK = 4;
    static final byte ANSWER = 5;
    static final byte FAILED = 6;
    static final byte ALIVE = 7;

    private final Socket socket;
    private final CRC32C written = new CRC32C();
    private final CountedInput in;
    private final CountedOutput sent;
    private final DataOutputStream out;
    private final MessageReader reader;

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
        socket.setTcpNoDelay(true);
        in = new CountedInput(socket.getInputStream());
        sent = new CountedOutput(socket.getOutputStream());
        reader = new MessageReader(in, meter);
        out =
                new DataOutputStream(
                        new CheckedOutputStream(new BufferedOutputStream(sent, CHUNK), written));
    }

    /** SHA-256 of parameters, in hexadecimal. */
    public static String hash(float[] parameters) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest(parameters, digest);
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // SHA-256 is always there
        }
    }

    /** Adds parameters to a digest. */
    public static void digest(float[] parameters, MessageDigest digest) {
        try {
            inChunks(parameters, (bytes, length) -> digest.update(bytes, 0, length));
        } catch (IOException e) {
            throw new IllegalStateException(e); // digests do no I/O
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
        return in.count();
    }

    /** Bytes sent so far, of unfinished messages, too. */
    public long sent() {
        return sent.count();
    }

    /** Sends a message. */
    public synchronized void write(Message message) throws IOException {
        written.reset();
        if (message instanceof Message.Hello hello) {
            out.writeByte(HELLO);
            out.writeByte(VERSION);
            out.writeUTF(hello.tenant());
            out.writeUTF(hello.parameters());
            write(hello.extraction());
        } else if (message instanceof Message.Welcome welcome) {
            out.writeByte(WELCOME);
            out.writeBoolean(welcome.parametersWanted());
        } else if (message instanceof Message.Parameters parameters) {
            out.writeByte(PARAMETERS);
            writeLength(parameters.values().length);
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

    private void write(PackedFolder.Contents listed) throws IOException {
        out.writeInt(listed.images());
        out.writeLong(listed.bytes());
        out.writeUTF(listed.table());
    }

    private void write(FeatureBatch batch) throws IOException {
        out.writeInt(batch.index());
        out.writeLong(batch.storeNanos());
        out.writeLong(batch.decodeNanos());
        out.writeLong(batch.computeNanos());
        writeLength(batch.labels().length);
        for (int label : batch.labels()) {
            out.writeInt(label);
        }
        writeLength(batch.bad().size());
        for (String sentence : batch.bad()) {
            out.writeUTF(shortened(sentence));
        }
        writeLength(batch.payload().length);
        out.write(batch.payload());
    }

    /** The checksum keeps a damaged length from making the reader wait for data that never come. */
    private void writeLength(int length) throws IOException {
        out.writeInt(length);
        out.writeInt((int) written.getValue());
    }

    /**
     * Waits for a message of any kind.
     *
     * @throws IOException if the connection ends or a message is damaged
     */
    public Message read() throws IOException {
        return reader.read();
    }

    /**
     * Waits for a message of one kind. Nothing is read of a message of another kind, because it may
     * be large.
     *
     * @param parameters maximum number of parameters
     * @throws RefusedException if this version can never accept the message
     * @throws IOException if the connection ends, or a message is damaged or of another kind
     */
    public <M extends Message> M read(Class<M> kind, int parameters) throws IOException {
        return reader.read(kind, parameters);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
