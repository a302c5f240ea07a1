package dev.levee.federated.compression;

import dev.levee.gar.NamedParser;
import dev.levee.learners.Layout;

import java.io.Serializable;

/**
 * A shorter code for the change that a device sends. The server receives the decoded change, so
 * rules and server steps need no change.
 */
public sealed interface Compression extends Serializable
        permits Compression.None, TopK, Quantization, LowRank {
    /** Changes are sent uncompressed. */
    Compression NONE = new None();

    /**
     * Reads {@code none}, {@code topk(SHARE)}, {@code qsgd(LEVELS, BUCKET)} or {@code
     * powersgd(RANK)}.
     *
     * @throws IllegalArgumentException if the text has no known form; one sentence
     */
    static Compression parse(String text) {
        return new NamedParser<Compression>("compression")
                .add("none", a -> NONE)
                .add("topk", a -> new TopK(a.number("share", TopK.SHARE)), "share")
                .add(
                        "qsgd",
                        a ->
                                new Quantization(
                                        a.positive("levels", Quantization.LEVELS),
                                        a.positive("bucket", Quantization.BUCKET)),
                        "levels",
                        "bucket")
                .add("powersgd", a -> new LowRank(a.positive("rank", LowRank.RANK)), "rank")
                .parse(text);
    }

    /** The name as users write it. */
    String name();

    /** Size in bytes of an encoded change of a model's trained values. */
    long bytes(Layout layout);

    /** Replaces a change by its decoded version. */
    void apply(Change change);

    /** No compression. */
    record None() implements Compression {
        @Override
        public String name() {
            return "none";
        }

        @Override
        public long bytes(Layout layout) {
            return (long) Float.BYTES * layout.trainable();
        }

        @Override
        public void apply(Change change) {}
    }
}
