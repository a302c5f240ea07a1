package dev.levee.benchmarks.extraction;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A separate Java process whose memory is observed, optionally under a limit of the operating
 * system. The property {@code levee.limit} is a command that sets the limit and then executes Java,
 * such as {@code prlimit --data=2g}. The process ends when its input ends.
 */
final class LimitedChild implements AutoCloseable {
    private static final int WATCH_MILLIS = 20;

    private final Process process;
    private final BufferedReader out;
    private final Thread watch;
    private volatile double most = Double.NaN;

    /**
     * Starts the process.
     *
     * @param heap megabytes of Java's heap
     * @param main main class and its arguments
     */
    LimitedChild(int heap, Class<?> main, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        String limit = System.getProperty("levee.limit", "");
        if (!limit.isEmpty()) {
            command.addAll(List.of(limit.split(" ")));
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx" + heap + "m");
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        out =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        watch = new Thread(this::watch, "watches memory");
        watch.setDaemon(true);
        watch.start();
    }

    /** Samples the peak memory while the process runs, because Linux forgets it at the end. */
    private void watch() {
        try {
            do {
                double now = megabytes("VmHWM:");
                most = Double.isNaN(now) ? most : now;
            } while (!process.waitFor(WATCH_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The next line of output, null at its end. */
    String line() throws IOException {
        return out.readLine();
    }

    /** The current resident memory according to Linux, in megabytes. */
    double resident() {
        return megabytes("VmRSS:");
    }

    /** The last sample of the peak resident memory according to Linux, in megabytes. */
    double most() {
        return most;
    }

    /** Waits for the end of the process. {@link #most} then stays the same. */
    int await() throws InterruptedException {
        int code = process.waitFor();
        watch.join();
        return code;
    }

    private double megabytes(String field) {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        try {
            return Files.readAllLines(status).stream()
                    .filter(line -> line.startsWith(field))
                    .mapToDouble(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024 / 1e6)
                    .findFirst()
                    .orElse(Double.NaN);
        } catch (IOException | UncheckedIOException e) {
            return Double.NaN;
        }
    }

    /** Ends the input of the process. */
    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
    }
}
