package dev.levee.k8s.manifests;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A Java process of a test, and what it says. */
final class TestProcess implements AutoCloseable {
    private final Process process;
    private final Path output;

    private TestProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /**
     * Starts a process.
     *
     * @param output receives what it says
     * @param arguments of {@code java}
     */
    static TestProcess java(Path output, Map<String, String> environment, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(arguments);
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .redirectInput(new File("/dev/null"));
        builder.environment().putAll(environment);
        return new TestProcess(builder.start(), output);
    }

    /** The command line of Levee, as {@code ./levee} runs it. */
    static TestProcess levee(Path output, Map<String, String> environment, String... arguments)
            throws IOException {
        Path jobs = Manifests.HOME.resolve("jobs/target");
        List<String> all =
                new ArrayList<>(
                        List.of(
                                "@" + jobs.resolve("classes/levee-jvm.flags"),
                                "-Xmx256m",
                                "-XX:+UseSerialGC",
                                "-Dlevee.home=" + Manifests.HOME,
                                "-Dlog4j2.configurationFile=levee-log4j2.xml",
                                "-cp",
                                jobs.resolve("classes")
                                        + File.pathSeparator
                                        + Files.readString(jobs.resolve("classpath.txt")).trim(),
                                "dev.levee.jobs.Levee"));
        all.addAll(List.of(arguments));
        return java(output, environment, all);
    }

    /** Waits until it has ended well. */
    void awaitSuccess() throws InterruptedException {
        if (!process.waitFor(10, TimeUnit.MINUTES)) {
            process.destroyForcibly().waitFor();
            throw new AssertionError("still running: " + said());
        }
        if (process.exitValue() != 0) {
            throw new AssertionError("failed: " + said());
        }
    }

    String said() {
        try {
            return Files.readString(output, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return e.toString();
        }
    }

    boolean alive() {
        return process.isAlive();
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }
}
