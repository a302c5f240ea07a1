package dev.levee.jobs.internal.cluster;

import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;

/** Builds the launcher's command, which runs Levee's command line in a JVM of its own. */
public final class LauncherCommand {
    private static final String MAIN = "dev.levee.jobs.Levee";
    private static final String QUIET = "-Xlog:cds*=off";
    private static final List<String> TRAINING =
            List.of(
                    "train",
                    "--dataset=strokes:?train=200&test=50",
                    "--workers=2",
                    "--byzantine=0",
                    "--aggregator=average",
                    "--rounds=2");

    private LauncherCommand() {}

    /**
     * Returns the words of the command.
     *
     * @param home where Levee was built
     * @param options options of the JVM, in addition to those of every Levee process
     * @param plugins jars with rules and attacks from outside
     * @param arguments arguments of the command line
     */
    public static List<String> of(
            LeveeHome home, List<String> options, List<String> plugins, List<String> arguments)
            throws IOException {
        List<String> all = new ArrayList<>(options);
        all.addAll(classData(home));
        return command(home, all, plugins, arguments);
    }

    private static List<String> command(
            LeveeHome home, List<String> options, List<String> plugins, List<String> arguments)
            throws IOException {
        List<String> jars = new ArrayList<>(home.launcherClassPath());
        jars.addAll(plugins);
        List<String> command = new ArrayList<>();
        command.add(JavaProcesses.java());
        command.addAll(JvmFlags.read());
        command.addAll(options);
        command.add("-Dlevee.home=" + home.directory());
        command.add("-Dlevee.plugins=" + String.join(File.pathSeparator, plugins));
        command.add("-Dlog4j2.configurationFile=levee-log4j2.xml");
        command.addAll(List.of("-cp", String.join(File.pathSeparator, jars), MAIN));
        command.addAll(arguments);
        return command;
    }

    /**
     * Returns the flags for the launcher's archive of classes. If there is none, creates one with
     * most of the classes that commands load. One process at a time creates it, and others wait.
     */
    private static synchronized List<String> classData(LeveeHome home) throws IOException {
        Path directory = Files.createDirectories(home.classData());
        String name = "levee-" + System.getProperty("java.runtime.version") + ".jsa";
        Path archive = directory.resolve(name);
        Path jar = home.directory().resolve("jobs/target/levee.jar");
        try (FileChannel lock =
                FileChannel.open(
                        directory.resolve("levee.lock"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE)) {
            lock.lock();
            if (!Files.exists(archive) || modified(archive).compareTo(modified(jar)) < 0) {
                archive(home, archive);
            }
        }
        return Files.exists(archive)
                ? List.of("-XX:SharedArchiveFile=" + archive, QUIET)
                : List.of();
    }

    private static FileTime modified(Path file) throws IOException {
        return Files.getLastModifiedTime(file);
    }

    /** Runs a short training, and keeps the archive of its classes if it succeeds. */
    private static void archive(LeveeHome home, Path archive) throws IOException {
        Path written = archive.resolveSibling("levee.writing");
        Path output = Files.createTempDirectory("levee-archive-");
        List<String> training = new ArrayList<>(TRAINING);
        training.add("--output=" + output.resolve("run"));
        List<String> options = List.of("-XX:ArchiveClassesAtExit=" + written, QUIET);
        Process process =
                new ProcessBuilder(command(home, options, List.of(), training))
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try {
            if (process.waitFor() == 0) {
                Files.move(written, archive, StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        } finally {
            FileTree.delete(output);
        }
    }
}
