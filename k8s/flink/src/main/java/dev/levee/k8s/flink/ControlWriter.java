package dev.levee.k8s.flink;

import java.io.IOException;

/** Writes control files to where jobs read them. */
@FunctionalInterface
public interface ControlWriter {
    /**
     * Replaces a file atomically: readers see either the old or the new content.
     *
     * @param file URI of the file
     */
    void write(String file, String content) throws IOException;
}
