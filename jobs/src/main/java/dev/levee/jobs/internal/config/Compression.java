package dev.levee.jobs.internal.config;

import java.util.Locale;

/** How a producer compresses what it sends. */
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
