package dev.levee.operators.rounds.participant;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** Creates and ends the threads on which learners compute, outside a task's own thread. */
public final class ComputeThreads {
    private static final long CLOSE_SECONDS = 30;

    private ComputeThreads() {}

    /** One thread. */
    public static ExecutorService one(String name) {
        return Executors.newSingleThreadExecutor(named(name));
    }

    /** Creates daemon threads with a name. */
    public static ThreadFactory named(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /**
     * Ends threads and discards their results.
     *
     * @param close frees the threads' resources; called only if they have ended, because a learner
     *     that still computes needs its memory
     */
    public static void end(ExecutorService threads, Runnable close) {
        threads.shutdownNow();
        try {
            if (threads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                close.run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
