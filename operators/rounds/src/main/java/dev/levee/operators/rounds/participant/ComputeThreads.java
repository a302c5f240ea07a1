package dev.levee.operators.rounds.participant;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** Threads beside a task, on which learners compute. */
public final class ComputeThreads {
    private static final long CLOSE_SECONDS = 30;

    private ComputeThreads() {}

    /** One thread. */
    public static ExecutorService one(String name) {
        return Executors.newSingleThreadExecutor(named(name));
    }

    /** Makes threads of a name that do not keep a process from ending. */
    public static ThreadFactory named(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /**
     * Ends threads; their results are lost.
     *
     * @param close frees what they compute with, if they have ended: a learner that is still
     *     computing must not lose its memory under its feet
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
