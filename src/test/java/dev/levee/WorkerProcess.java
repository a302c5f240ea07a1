package dev.levee;

import dev.levee.jobs.Levee;
import dev.levee.jobs.internal.cluster.Home;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A {@code levee worker} in a process of its own. */
final class WorkerProcess implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 120;

    private final Process process;
    private final Path output;

    private WorkerProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /**
     * Starts one.
     *
     * @param output receives what it says
     */
    static WorkerProcess start(Path output, String... options) throws IOException {
        Path home = Home.find().directory();
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("@" + home.resolve("jobs/target/classes/levee-jvm.flags"));
        command.addAll(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-Dlevee.home=" + home));
        command.add("-Dlog4j2.configurationFile=levee-log4j2.xml");
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(Levee.class.getName(), "worker"));
        command.addAll(List.of(options));
        return new WorkerProcess(
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                        .start(),
                output);
    }

    /** Ends it at once, as {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Asks it to end, as Ctrl-C does. */
    void interrupt() {
        process.destroy();
    }

    /** Waits for its end; its exit code. */
    int exitCode() throws Exception {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("still runs; it said " + said());
        }
        return process.exitValue();
    }

    String said() throws IOException {
        return Files.readString(output);
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
