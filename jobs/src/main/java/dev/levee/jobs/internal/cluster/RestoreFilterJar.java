package dev.levee.jobs.internal.cluster;

import dev.levee.jobs.restore.RestoreFilter;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/**
 * {@link RestoreFilter} alone in a jar: Flink's processes need it before any job brings classes.
 */
public final class RestoreFilterJar {
    /** What a process that has the jar on its class path is started with. */
    public static final String FLAG = "-Djdk.serialFilterFactory=" + RestoreFilter.class.getName();

    private static final String NAME = "levee-restore-filter.jar";

    private RestoreFilterJar() {}

    /** Writes it into a directory, over an older one. */
    public static Path write(Path directory) throws IOException {
        Path jar = directory.resolve(NAME);
        String entry = RestoreFilter.class.getName().replace('.', '/') + ".class";
        try (InputStream in = RestoreFilter.class.getResourceAsStream("/" + entry);
                JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new JarEntry(entry));
            in.transferTo(out);
            out.closeEntry();
        }
        return jar;
    }
}
