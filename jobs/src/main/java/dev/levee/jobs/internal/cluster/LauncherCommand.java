package dev.levee.jobs.internal.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What the launcher runs: the command line of Levee in a JVM of its own. */
public final class LauncherCommand {
    private static final String MAIN = "dev.levee.jobs.Levee";

    private LauncherCommand() {}

    /**
     * The words of the command.
     *
     * @param home where Levee was built
     * @param options of the JVM, beside those that every process of Levee has
     * @param plugins jars with rules and attacks from outside
     * @param arguments of the command line
     */
    public static List<String> of(
            Home home, List<String> options, List<String> plugins, List<String> arguments)
            throws IOException {
        String classPath = String.join(File.pathSeparator, home.launcherClassPath());
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JvmFlags.read());
        command.addAll(options);
        command.addAll(ClassData.flags(home.classData(), MAIN, classPath));
        command.add("-Dlevee.home=" + home.directory());
        command.add("-Dlevee.plugins=" + String.join(File.pathSeparator, plugins));
        command.add("-Dlog4j2.configurationFile=levee-log4j2.xml");
        List<String> jars = new ArrayList<>(List.of(classPath));
        jars.addAll(plugins);
        command.addAll(List.of("-cp", String.join(File.pathSeparator, jars), MAIN));
        command.addAll(arguments);
        return command;
    }
}
