package dev.levee.operators.flink.internal.transfer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The processor time that the threads of this process have used up to a moment. Threads of the JIT
 * compiler do not count, because their work ends. Threads of the garbage collector and of the JVM
 * count on Linux; on other systems, Java cannot see them.
 *
 * @param nanos nanoseconds of each thread, by its id
 */
record ProcessorTime(Map<String, Long> nanos) {
    private static final Path THREADS = Path.of("/proc/self/task");

    /** Measures all threads now. */
    static ProcessorTime now() {
        return now(THREADS);
    }

    /** Measures the threads in a directory, or those that Java sees if none can be read there. */
    static ProcessorTime now(Path directory) {
        Map<String, Long> nanos = Files.isDirectory(directory) ? ofSystem(directory) : Map.of();
        return new ProcessorTime(nanos.isEmpty() ? ofJava() : nanos);
    }

    private static Map<String, Long> ofSystem(Path directory) {
        Map<String, Long> nanos = new HashMap<>();
        try (Stream<Path> threads = Files.list(directory)) {
            threads.forEach(
                    thread -> {
                        try {
                            if (!Files.readString(thread.resolve("comm")).contains(" Compiler")) {
                                String taken = Files.readString(thread.resolve("schedstat"));
                                nanos.put(
                                        thread.getFileName().toString(),
                                        Long.parseLong(taken.substring(0, taken.indexOf(' '))));
                            }
                        } catch (IOException e) {
                            // The thread has ended meanwhile, or the kernel does not measure it.
                        }
                    });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return nanos;
    }

    private static Map<String, Long> ofJava() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        Map<String, Long> nanos = new HashMap<>();
        for (long id : threads.getAllThreadIds()) {
            nanos.put(Long.toString(id), Math.max(0, threads.getThreadCpuTime(id)));
        }
        return nanos;
    }

    /** Seconds since an earlier moment, without threads that have ended since. */
    double since(ProcessorTime before) {
        return nanos.entrySet().stream()
                        .mapToLong(
                                each ->
                                        each.getValue()
                                                - before.nanos.getOrDefault(each.getKey(), 0L))
                        .sum()
                / 1e9;
    }
}
