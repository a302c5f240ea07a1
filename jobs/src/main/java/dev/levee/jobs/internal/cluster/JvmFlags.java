package dev.levee.jobs.internal.cluster;

import dev.levee.jobs.restore.RestoreFilter;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads the JVM flags that every Java process of Levee has. The parent POM lists them. */
public final class JvmFlags {
    private JvmFlags() {}

    /** The flags, in order. */
    public static List<String> read() {
        try (InputStream in = JvmFlags.class.getResourceAsStream("/levee-jvm.flags")) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return List.of(text.trim().split("\\s+"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The flags of Flink's processes, which restore state only through {@link RestoreFilter}. */
    public static List<String> ofFlink() {
        List<String> flags = new ArrayList<>(read());
        flags.add("-Djdk.serialFilterFactory=" + RestoreFilter.class.getName());
        return flags;
    }
}
