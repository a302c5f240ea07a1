package dev.levee.operators.testing;

import dev.levee.operators.rounds.codec.Codec;

import java.util.Arrays;

/** A value that was handed to a checkpoint, and the bytes that are written for it. */
public final class Frozen<T> {
    private final Codec<T> codec;
    private final T original;
    private final byte[] bytes;

    public Frozen(Codec<T> codec, T original) {
        this.codec = codec;
        this.original = original;
        this.bytes = codec.bytes(original);
    }

    /** True if the original still writes the same bytes. */
    public boolean untouched() {
        return Arrays.equals(bytes, codec.bytes(original));
    }

    /** Reads an equal copy back, which shares nothing with the original. */
    public T thaw() {
        return codec.of(bytes);
    }
}
