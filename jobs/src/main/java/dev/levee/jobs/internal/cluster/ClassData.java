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
 * Class data sharing (JEP 350). The first process of a kind archives its loaded classes when it
 * ends. Later processes map the archive, which saves a third of the processor time of their start.
 * Writing an archive takes longer than several starts, so only one process of a kind does it at a
 * time. A JVM ignores an archive that is incomplete, or made by another JVM or from other jars.
 */
final class ClassData {
    /** The flag with which a process writes an archive, up to the file name. */
    private static final String LEAVES = "-XX:ArchiveClassesAtExit=";

    private static final String ENDING = ".jsa";

    /** Ending of the file that names the process which will write the archive. */
    private static final String WRITER = ".writer";

    private ClassData() {}

    /**
     * Returns the flags with which a process uses the archive of its kind, or writes it. Call
     * {@link #started} with these flags after the start of the process.
     *
     * @param directory the directory of archives; if it cannot be written, nothing is shared
     * @param main main class of the process
     * @param classPath class path of the process, jars only
     */
    static List<String> flags(Path directory, String main, String classPath) throws IOException {
        String kind = main.substring(main.lastIndexOf('.') + 1) + "-";
        Path archive = directory.resolve(kind + key(classPath) + ENDING);
        if (complete(archive)) {
            return uses(archive);
        }
        // A JVM also accepts an archive whose class path is a prefix of its own.
        int last = classPath.lastIndexOf(File.pathSeparator);
        if (last > 0) {
            Path shorter = directory.resolve(kind + key(classPath.substring(0, last)) + ENDING);
            if (complete(shorter)) {
                return uses(shorter);
            }
        }
        try {
            Files.createDirectories(directory);
            deleteOlder(directory, kind, newest(classPath));
        } catch (IOException e) {
            return List.of();
        }
        if (!Files.isWritable(directory) || hasWriter(archive)) {
            return List.of();
        }
        write(archive, ProcessHandle.current());
        return List.of(LEAVES + archive, "-Xlog:cds*=off");
    }

    private static List<String> uses(Path archive) {
        return List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds*=off");
    }

    /** Records the process that writes the archive, if {@code flags} say that this one does. */
    static void started(List<String> flags, ProcessHandle process) throws IOException {
        for (String flag : flags) {
            if (flag.startsWith(LEAVES)) {
                write(Path.of(flag.substring(LEAVES.length())), process);
            }
        }
    }

    private static void write(Path archive, ProcessHandle process) throws IOException {
        Files.writeString(writer(archive), ClusterProcess.of("writer", process).line());
    }

    private static boolean hasWriter(Path archive) throws IOException {
        Path file = writer(archive);
        String line = Files.exists(file) ? Files.readString(file) : "";
        return !line.isEmpty() && ClusterProcess.read(line).alive();
    }

    private static Path writer(Path archive) {
        return archive.resolveSibling(archive.getFileName() + WRITER);
    }

    /** A key that changes with any jar or the JVM. */
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

    /** Returns true if the archive is complete: the JVM writes its first bytes last. */
    private static boolean complete(Path archive) throws IOException {
        if (!Files.exists(archive)) {
            return false;
        }
        try (InputStream in = Files.newInputStream(archive)) {
            return in.read() > 0;
        }
    }

    /** Deletes archives that are older than the newest jar; archives of other class paths stay. */
    private static void deleteOlder(Path directory, String kind, long built) throws IOException {
        try (DirectoryStream<Path> older =
                Files.newDirectoryStream(directory, kind + "*" + ENDING + "*")) {
            for (Path file : older) {
                if (Files.getLastModifiedTime(file).toMillis() < built) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }
}
