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
 * A process of a cluster, recognized again by its id together with the instant it started, so that
 * another process that got the same id later is never mistaken for it.
 *
 * @param name such as {@code taskmanager-1}
 * @param pid process id
 * @param started when it started, milliseconds since the epoch
 */
public record ClusterProcess(String name, long pid, long started) {
    /** Two processes may compute the start of a third one up to a second apart. */
    private static final long SAME_START = 2000;

    private static final Duration KILLED_WITHIN = Duration.ofSeconds(10);

    static ClusterProcess of(String name, ProcessHandle handle) {
        return new ClusterProcess(name, handle.pid(), startOf(handle));
    }

    private static long startOf(ProcessHandle handle) {
        return handle.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    private Optional<ProcessHandle> handle() {
        return ProcessHandle.of(pid)
                .filter(handle -> Math.abs(startOf(handle) - started) < SAME_START)
                .filter(handle -> handle.isAlive() && !isZombie());
    }

    /**
     * True if it has ended and no process has asked for its exit status. The first process of a
     * container often does so seldom or never, so such a process must not be waited for. Its first
     * thread may have ended before others, which still hold its ports.
     */
    private boolean isZombie() {
        Path process = Path.of("/proc", String.valueOf(pid));
        try (Stream<Path> threads = Files.list(process.resolve("task"))) {
            String stat = Files.readString(process.resolve("stat"), ISO_8859_1);
            return stat.startsWith(") Z", stat.lastIndexOf(')')) && threads.count() <= 1;
        } catch (IOException notLinux) {
            return false;
        }
    }

    /** True while it runs. */
    public boolean alive() {
        return handle().isPresent();
    }

    /** Ends it at once, as {@code kill -9} does, and waits until it is gone. */
    public void kill() {
        stop(Duration.ZERO);
    }

    /** Asks it to end, and ends it at once if it has not after {@code patience}. */
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

    /** Asks it to end, without waiting. */
    void ask() {
        handle().ifPresent(ProcessHandle::destroy);
    }

    /** Its line for {@link #read}. */
    String line() {
        return name + " " + pid + " " + started;
    }

    static ClusterProcess read(String line) {
        String[] parts = line.split(" ", -1);
        return new ClusterProcess(parts[0], Long.parseLong(parts[1]), Long.parseLong(parts[2]));
    }
}
