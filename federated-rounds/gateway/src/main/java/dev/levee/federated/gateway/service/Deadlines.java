package dev.levee.federated.gateway.service;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Looks twice a second at all that may be late: one timer for many, not one for each. */
public final class Deadlines implements AutoCloseable {
    /** A connection or request that may be late. */
    public interface Watched {
        /** Ends it if it is late; from any thread. */
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
     * Begins to look.
     *
     * @param each done every time, too
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

    /** Looks at one more. */
    public void add(Watched one) {
        watched.add(one);
    }

    /** Looks at one less. */
    public void remove(Watched one) {
        watched.remove(one);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
