package dev.levee.jobs.internal.cluster;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Class data sharing (JEP 350). The first process of a kind archives the classes that it has loaded
 * when it ends; later ones map the archive, which takes a third of the processor time off their
 * start. A JVM ignores an archive that is incomplete, or made by another JVM or from other jars.
 */
final class ClassData {
    /** The prefix of the flag with which a process writes an archive. */
    static final String LEAVES = "-XX:ArchiveClassesAtExit=";

    private static final String ENDING = ".jsa";

    private ClassData() {}

    /**
     * The flags that have a process use the archive of its kind, or leave one.
     *
     * @param directory the directory of archives; without one that can be written, nothing is
     *     shared
     * @param main class of the process
     * @param classPath of the process, jars only
     */
    static List<String> flags(Path directory, String main, String classPath) throws IOException {
        String kind = main.substring(main.lastIndexOf('.') + 1) + "-";
        Path archive = directory.resolve(kind + key(classPath) + ENDING);
        if (complete(archive)) {
            return List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds*=off");
        }
        try {
            Files.createDirectories(directory);
            deleteOlder(directory, kind, newest(classPath));
        } catch (IOException e) {
            return List.of();
        }
        return Files.isWritable(directory)
                ? List.of(LEAVES + archive, "-Xlog:cds*=off")
                : List.of();
    }

    /** Differs when a jar or the JVM does. */
    private static String key(String classPath) throws IOException {
        List<Object> parts =
                new ArrayList<>(List.of(System.getProperty("java.vm.version"), classPath));
        for (String jar : classPath.split(File.pathSeparator)) {
            parts.add(modified(jar));
        }
        return Integer.toHexString(parts.hashCode());
    }

    private static long newest(String classPath) throws IOException {
        long newest = 0;
        for (String jar : classPath.split(File.pathSeparator)) {
            newest = Math.max(newest, modified(jar));
        }
        return newest;
    }

    private static long modified(String file) throws IOException {
        return Files.getLastModifiedTime(Path.of(file)).toMillis();
    }

    /** The JVM writes the first bytes last. */
    private static boolean complete(Path archive) throws IOException {
        if (!Files.exists(archive)) {
            return false;
        }
        try (InputStream in = Files.newInputStream(archive)) {
            return in.read() > 0;
        }
    }

    /** Deletes archives from before a jar was built; those of other class paths stay. */
    private static void deleteOlder(Path directory, String kind, long built) throws IOException {
        try (DirectoryStream<Path> older =
                Files.newDirectoryStream(directory, kind + "*" + ENDING)) {
            for (Path file : older) {
                if (Files.getLastModifiedTime(file).toMillis() < built) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }
}
