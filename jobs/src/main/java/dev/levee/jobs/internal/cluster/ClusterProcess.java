package dev.levee.jobs.internal.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

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

    static ClusterProcess of(String name, ProcessHandle handle) {
        return new ClusterProcess(name, handle.pid(), startOf(handle));
    }

    private static long startOf(ProcessHandle handle) {
        return handle.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    private Optional<ProcessHandle> handle() {
        return ProcessHandle.of(pid)
                .filter(handle -> Math.abs(startOf(handle) - started) < SAME_START);
    }

    /** True while it runs. */
    public boolean alive() {
        return handle().map(ProcessHandle::isAlive).orElse(false);
    }

    /** Ends it at once, as {@code kill -9} does, and waits until it is gone. */
    public void kill() {
        handle().ifPresent(handle -> end(handle, Duration.ZERO));
    }

    /** Asks it to end, and ends it at once if it has not after {@code patience}. */
    public void stop(Duration patience) {
        handle().ifPresent(handle -> end(handle, patience));
    }

    /** Only asks it to end. */
    void ask() {
        handle().ifPresent(ProcessHandle::destroy);
    }

    private void end(ProcessHandle handle, Duration patience) {
        try {
            if (!patience.isZero()) {
                handle.destroy();
                try {
                    handle.onExit().get(patience.toMillis(), TimeUnit.MILLISECONDS);
                    return;
                } catch (TimeoutException e) {
                    handle.destroyForcibly();
                }
            }
            handle.destroyForcibly();
            handle.onExit().get(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            handle.destroyForcibly();
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("process " + pid + " (" + name + ") does not end", e);
        }
    }

    /** One line that {@link #read} reads back. */
    String line() {
        return name + " " + pid + " " + started;
    }

    static ClusterProcess read(String line) {
        String[] parts = line.split(" ", -1);
        return new ClusterProcess(parts[0], Long.parseLong(parts[1]), Long.parseLong(parts[2]));
    }
}
