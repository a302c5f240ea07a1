package dev.levee.benchmarks.siege;

import dev.levee.jobs.internal.cluster.LauncherCommand;
import dev.levee.jobs.internal.cluster.LeveeHome;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A Levee program in a separate process, with its output. */
final class Child implements AutoCloseable {
    private final Process process;
    private final Path output;

    private Child(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /**
     * Starts a command of Levee.
     *
     * @param output file to which its output is appended
     * @param heap heap in MiB
     * @param arguments arguments of the command line
     */
    static Child levee(Path output, int heap, List<String> arguments) throws IOException {
        return start(
                output, LauncherCommand.of(LeveeHome.find(), options(heap), List.of(), arguments));
    }

    /**
     * Starts a program.
     *
     * @param output file to which its output is appended
     * @param heap heap in MiB
     * @param main class and arguments
     */
    static Child program(Path output, int heap, String... main) throws IOException {
        Path home = LeveeHome.find().directory();
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("@" + home.resolve("jobs/target/classes/levee-jvm.flags"));
        command.addAll(options(heap));
        command.add("-Dlevee.home=" + home);
        command.add("-Dlog4j2.configurationFile=levee-log4j2.xml");
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(main));
        return start(output, command);
    }

    private static List<String> options(int heap) {
        return List.of("-Xmx" + heap + "m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    }

    private static Child start(Path output, List<String> command) throws IOException {
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                        .start();
        return new Child(process, output);
    }

    long pid() {
        return process.pid();
    }

    boolean alive() {
        return process.isAlive();
    }

    /** The exit status of the ended process. */
    int status() {
        return process.exitValue();
    }

    /** Waits for the end of the process; false if it still runs after {@code patience}. */
    boolean await(Duration patience) throws InterruptedException {
        return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Kills the process, as {@code kill -9} does, even if it is stopped. */
    void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /** The last line of its output. */
    String lastWord() {
        try {
            List<String> lines = Files.readAllLines(output);
            return lines.isEmpty() ? "nothing" : lines.get(lines.size() - 1);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Override
    public void close() {
        kill();
    }
}
