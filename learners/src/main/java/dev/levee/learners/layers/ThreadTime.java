package dev.levee.learners.layers;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Processor time of the calling thread. Unlike time that passes, it has no part of what other
 * programs do on the machine meanwhile.
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

    /** Seconds since the start; of the clock where the system does not know those of a thread. */
    public double seconds() {
        return (now() - start) / 1e9;
    }

    private static long now() {
        return KNOWN ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
    }
}
