package dev.levee.k8s.flink;

import java.io.IOException;

/** Writes control files wherever jobs read them. */
@FunctionalInterface
public interface ControlWriter {
    /**
     * Replaces a file as a whole: whoever reads it meanwhile sees the old content or the new one.
     *
     * @param file its URI
     */
    void write(String file, String content) throws IOException;
}
