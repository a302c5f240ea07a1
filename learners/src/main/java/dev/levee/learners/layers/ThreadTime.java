package dev.levee.learners.layers;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Measures the processor time of the calling thread. Unlike elapsed time, it does not include the
 * time of other programs on the machine.
 */
public final class ThreadTime {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final boolean KNOWN = THREADS.isCurrentThreadCpuTimeSupported();

    private final long start = now();

    private ThreadTime() {}

    /** Begins to measure. */
    public static ThreadTime start() {
        return new ThreadTime();
    }

    /**
     * Seconds since the start. Elapsed time is returned if the system does not provide a thread's
     * processor time.
     */
    public double seconds() {
        return (now() - start) / 1e9;
    }

    private static long now() {
        return KNOWN ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
    }
}
