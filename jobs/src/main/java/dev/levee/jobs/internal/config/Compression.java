package dev.levee.jobs.internal.config;

import java.util.Locale;

/** Compression of a producer's records. */
public enum Compression {
    NONE,
    LZ4,
    ZSTD,
    SNAPPY,
    GZIP;

    /** The name that Kafka has for it. */
    public String kafkaName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
