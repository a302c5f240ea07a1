package dev.levee.operators.rounds.codec;

import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.function.IntFunction;

/**
 * The format of one kind of record: its name, its version and its codecs. Savepoints and files
 * carry name and version. State is written in chunks with checksums, so damaged bytes are never
 * decoded.
 */
public final class RecordFormat<T> implements Codec<T> {
    private final String name;
    private final int oldest;
    private final int version;
    private final IntFunction<Codec<T>> codecs;
    private final Codec<T> codec;

    /** Creates the format of a kind of which only this version can be read. */
    public RecordFormat(String name, int version, Codec<T> codec) {
        this(name, version, version, any -> codec);
    }

    /**
     * Creates the format of a kind.
     *
     * @param oldest version that can be read, from 1
     * @param version that is written
     * @param codecs the codec of each version from the oldest on
     */
    public RecordFormat(String name, int oldest, int version, IntFunction<Codec<T>> codecs) {
        this.name = name;
        this.oldest = oldest;
        this.version = version;
        this.codecs = codecs;
        this.codec = codecs.apply(version);
    }

    /** The kind's name in savepoints. */
    public String name() {
        return name;
    }

    /** The version that is written. */
    public int version() {
        return version;
    }

    /** True if records of a version can be read. */
    public boolean reads(int written) {
        return written >= oldest && written <= version;
    }

    @Override
    public void write(T value, DataOutput out) throws IOException {
        codec.write(value, out);
    }

    @Override
    public T read(DataInput in) throws IOException {
        return codec.read(in);
    }

    /**
     * Reads bytes that a version of this format wrote.
     *
     * @throws IOException if that version is too old or too new; one sentence
     */
    public T read(DataInput in, int written) throws IOException {
        if (!reads(written)) {
            throw new IOException(unreadable(written));
        }
        return (written == version ? codec : codecs.apply(written)).read(in);
    }

    /** The reason why records of a version cannot be read, in one sentence. */
    public String unreadable(int written) {
        return written > version
                ? ("version %d of %s was written by a later Levee, and this one reads up to"
                                + " version %d: continue with the later Levee")
                        .formatted(written, name, version)
                : ("version %d of %s was written by an earlier Levee, whose state this version"
                                + " cannot read: finish the run with that version, or start over")
                        .formatted(written, name);
    }

    /** Writes state, with checksums. */
    public void writeState(T value, DataOutput out) throws IOException {
        ChunkOutput chunks = new ChunkOutput(name, out);
        write(value, new DataOutputStream(chunks));
        chunks.end();
    }

    /**
     * Reads state that a version of this format wrote.
     *
     * @throws IOException if it is damaged, or its version is not supported; one sentence
     */
    public T readState(DataInput in, int written) throws IOException {
        ChunkInput chunks = new ChunkInput(name, in);
        T value = read(new DataInputStream(chunks), written);
        chunks.end();
        return value;
    }
}
