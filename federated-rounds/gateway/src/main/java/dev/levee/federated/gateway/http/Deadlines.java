package dev.levee.federated.gateway.http;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Looks at all connections each second: one timer for many, not one for each. */
final class Deadlines implements AutoCloseable {
    private static final long PERIOD_MILLIS = 500;

    private final Set<ClientChannel> connections = ConcurrentHashMap.newKeySet();
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
                    connections.forEach(ClientChannel::checkDeadline);
                    each.run();
                },
                PERIOD_MILLIS,
                PERIOD_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    void add(ClientChannel connection) {
        connections.add(connection);
    }

    void remove(ClientChannel connection) {
        connections.remove(connection);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
