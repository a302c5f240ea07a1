package dev.levee.federated.gateway.service;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Checks twice a second everything that has a deadline, so that one timer serves all. */
public final class Deadlines implements AutoCloseable {
    /** A connection or request with a deadline. */
    public interface Watched {
        /** Ends this if its deadline has passed. Called from any thread. */
        void checkDeadline();
    }

    private static final long PERIOD_MILLIS = 500;

    private final Set<Watched> watched = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(
                    task -> {
                        Thread thread = new Thread(task, "gateway deadlines");
                        thread.setDaemon(true);
                        return thread;
                    });

    /**
     * Starts the checks.
     *
     * @param each called after each check
     */
    void start(Runnable each) {
        timer.scheduleWithFixedDelay(
                () -> {
                    watched.forEach(Watched::checkDeadline);
                    each.run();
                },
                PERIOD_MILLIS,
                PERIOD_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    /** Adds something to check. */
    public void add(Watched one) {
        watched.add(one);
    }

    /** Removes something from the checks. */
    public void remove(Watched one) {
        watched.remove(one);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
