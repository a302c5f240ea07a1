package dev.levee;

import dev.levee.jobs.internal.cluster.LauncherCommand;
import dev.levee.jobs.internal.cluster.LeveeHome;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A {@code levee} command as a process of its own. */
public final class LeveeProcess implements AutoCloseable {
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
    public static LeveeProcess start(Path output, String... arguments) throws IOException {
        Process process =
                new ProcessBuilder(
                                LauncherCommand.of(
                                        LeveeHome.find(),
                                        List.of("-Xmx256m"),
                                        List.of(System.getProperty("levee.plugins")),
                                        List.of(arguments)))
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                        .start();
        return new LeveeProcess(process, output);
    }

    /** Waits for the end; its exit code. */
    public int exitCode() throws InterruptedException {
        if (!process.waitFor(10, TimeUnit.MINUTES)) {
            throw new IllegalStateException("still running: " + said());
        }
        return process.exitValue();
    }

    boolean alive() {
        return process.isAlive();
    }

    /** What it has said so far. */
    public String said() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Asks it to end and waits; its exit code. */
    public int stop() throws InterruptedException {
        process.destroy();
        return exitCode();
    }

    /** Ends it at once, as {@code kill -9} does. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
