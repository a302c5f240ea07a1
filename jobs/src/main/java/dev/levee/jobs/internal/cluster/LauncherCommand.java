package dev.levee.jobs.internal.cluster;

import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;

/** The launcher's command: Levee's command line in a JVM of its own. */
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
     * The words of the command.
     *
     * @param home where Levee was built
     * @param options the options of the JVM, beside those that every process of Levee has
     * @param plugins jars with rules and attacks from outside
     * @param arguments of the command line
     */
    public static List<String> of(
            Home home, List<String> options, List<String> plugins, List<String> arguments)
            throws IOException {
        String classPath = String.join(File.pathSeparator, home.launcherClassPath());
        List<String> command = new ArrayList<>();
        command.add(JavaProcesses.java());
        command.addAll(JvmFlags.read());
        command.addAll(options);
        command.addAll(classData(home, classPath));
        command.add("-Dlevee.home=" + home.directory());
        command.add("-Dlevee.plugins=" + String.join(File.pathSeparator, plugins));
        command.add("-Dlog4j2.configurationFile=levee-log4j2.xml");
        List<String> jars = new ArrayList<>(List.of(classPath));
        jars.addAll(plugins);
        command.addAll(List.of("-cp", String.join(File.pathSeparator, jars), MAIN));
        command.addAll(arguments);
        return command;
    }

    /** The launcher's archive, or if there is none, one that loads most of what commands load. */
    private static List<String> classData(Home home, String classPath) throws IOException {
        String name = "levee-" + System.getProperty("java.runtime.version") + ".jsa";
        Path archive = home.classData().resolve(name);
        Path jar = home.directory().resolve("jobs/target/levee.jar");
        if (!Files.exists(archive) || modified(archive).compareTo(modified(jar)) < 0) {
            archive(home, classPath, archive);
        }
        return List.of("-XX:SharedArchiveFile=" + archive, QUIET);
    }

    private static FileTime modified(Path file) throws IOException {
        return Files.getLastModifiedTime(file);
    }

    /** Runs a short training, and archives its classes. */
    private static void archive(Home home, String classPath, Path archive) throws IOException {
        Path directory = Files.createTempDirectory("levee-archive-");
        Path written = directory.resolve("levee.jsa");
        List<String> command = new ArrayList<>(List.of(JavaProcesses.java()));
        command.addAll(JvmFlags.read());
        command.addAll(List.of("-XX:ArchiveClassesAtExit=" + written, QUIET));
        command.add("-Dlevee.home=" + home.directory());
        command.addAll(List.of("-cp", classPath, MAIN));
        command.addAll(TRAINING);
        command.add("--output=" + directory.resolve("run"));
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try {
            process.waitFor();
            Files.createDirectories(archive.getParent());
            Files.move(written, archive, StandardCopyOption.REPLACE_EXISTING);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        } finally {
            FileTree.delete(directory);
        }
    }
}
