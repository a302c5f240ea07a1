package dev.levee;

import dev.levee.jobs.internal.cluster.Home;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A {@code levee} command as a process of its own. */
final class LeveeProcess implements AutoCloseable {
    private final Process process;
    private final Path output;

    private LeveeProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /**
     * Starts a command.
     *
     * @param output receives what it says, appended
     */
    static LeveeProcess start(Path output, String... arguments) throws IOException {
        Path jobs = Home.find().directory().resolve("jobs/target");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("@" + jobs.resolve("classes/levee-jvm.flags"));
        command.add("-Xmx256m");
        command.add("-Dlevee.home=" + Home.find().directory());
        String plugins = System.getProperty("levee.plugins");
        command.add("-Dlevee.plugins=" + plugins);
        command.add("-Dlog4j2.configurationFile=levee-log4j2.xml");
        command.add("-cp");
        command.add(
                jobs.resolve("classes")
                        + ":"
                        + Files.readString(jobs.resolve("classpath.txt")).trim()
                        + ":"
                        + plugins);
        command.add("dev.levee.jobs.Levee");
        command.addAll(List.of(arguments));
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                        .start();
        return new LeveeProcess(process, output);
    }

    /** Waits for the end; its exit code. */
    int exitCode() throws InterruptedException {
        if (!process.waitFor(3, TimeUnit.MINUTES)) {
            throw new IllegalStateException("still running: " + said());
        }
        return process.exitValue();
    }

    boolean alive() {
        return process.isAlive();
    }

    /** What it has said so far. */
    String said() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Asks it to end and waits; its exit code. */
    int stop() throws InterruptedException {
        process.destroy();
        return exitCode();
    }

    /** Ends it at once, as {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
