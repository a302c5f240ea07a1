package dev.levee.jobs.internal.cluster;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.levee.k8s.flink.rest.Await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A process of a cluster. Its id and start identify it, so another process that got the same id
 * later is not mistaken for it.
 *
 * @param name such as {@code taskmanager-1}
 * @param pid process id
 * @param started start of the process, in milliseconds since the epoch; on Linux, Java computes it
 *     from the wall clock, so it moves when the clock is set
 * @param ticks id of the machine's boot and the start of the process in ticks since then; empty if
 *     unknown, as on systems other than Linux
 */
public record ClusterProcess(String name, long pid, long started, String ticks) {
    /**
     * Tolerance in milliseconds: two processes may compute the start of a third up to a second
     * apart.
     */
    private static final long SAME_START = 2000;

    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

    /** Index of a process's start among the fields of its status, from the third on. */
    private static final int START = 19;

    private static final Duration KILLED_WITHIN = Duration.ofSeconds(10);

    static ClusterProcess of(String name, ProcessHandle handle) {
        return new ClusterProcess(name, handle.pid(), startOf(handle), ticksOf(handle.pid()));
    }

    private static String ticksOf(long pid) {
        try {
            return Files.readString(BOOT).strip() + "/" + status(pid).split(" ", -1)[START];
        } catch (IOException notLinux) {
            return "";
        }
    }

    /** The fields of a process's status on Linux, from the third on. */
    private static String status(long pid) throws IOException {
        Path file = Path.of("/proc", String.valueOf(pid), "stat");
        String stat = Files.readString(file, ISO_8859_1);
        // The second field is a name in parentheses, which may contain others.
        return stat.substring(stat.lastIndexOf(')') + 2);
    }

    private static long startOf(ProcessHandle handle) {
        return handle.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    private Optional<ProcessHandle> handle() {
        return ProcessHandle.of(pid)
                .filter(this::isThis)
                .filter(handle -> handle.isAlive() && !isZombie());
    }

    private boolean isThis(ProcessHandle handle) {
        return ticks.isEmpty()
                ? Math.abs(startOf(handle) - started) < SAME_START
                : ticks.equals(ticksOf(pid));
    }

    /**
     * Returns true if this process has ended but its exit status was not read. The first process of
     * a container reads it seldom or never, so nobody should wait for that. The main thread may
     * have ended before other threads, which still hold the ports.
     */
    private boolean isZombie() {
        Path tasks = Path.of("/proc", String.valueOf(pid), "task");
        try (Stream<Path> threads = Files.list(tasks)) {
            return status(pid).startsWith("Z") && threads.count() <= 1;
        } catch (IOException notLinux) {
            return false;
        }
    }

    /** True while the process runs. */
    public boolean alive() {
        return handle().isPresent();
    }

    /** Kills the process, as {@code kill -9} does, and waits until it is gone. */
    public void kill() {
        stop(Duration.ZERO);
    }

    /** Asks the process to end, and kills it if it has not ended after {@code patience}. */
    public void stop(Duration patience) {
        if (!patience.isZero()) {
            ask();
            if (Await.until(patience, () -> !alive())) {
                return;
            }
        }
        handle().ifPresent(ProcessHandle::destroyForcibly);
        boolean gone = Await.until(KILLED_WITHIN, () -> !alive());
        if (!gone && !Thread.currentThread().isInterrupted()) {
            throw new IllegalStateException("process " + pid + " (" + name + ") does not end");
        }
    }

    /** Asks the process to end, without waiting. */
    void ask() {
        handle().ifPresent(ProcessHandle::destroy);
    }

    /** This process as a line, which {@link #read} reads. */
    String line() {
        return (name + " " + pid + " " + started + " " + ticks).strip();
    }

    /** Reads a line, also one of an older version, which has no ticks. */
    static ClusterProcess read(String line) {
        String[] parts = line.split(" ", -1);
        return new ClusterProcess(
                parts[0],
                Long.parseLong(parts[1]),
                Long.parseLong(parts[2]),
                parts.length > 3 ? parts[3] : "");
    }
}
