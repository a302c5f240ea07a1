package dev.levee.jobs.internal.run.follow;

/**
 * An action for the case that the user ends this process, with Ctrl-C for example, before it is
 * closed.
 */
public final class ShutdownHook implements AutoCloseable {
    private final Thread thread;
    private volatile boolean closed;

    /** Runs an action while the process ends. */
    public ShutdownHook(Runnable action) {
        thread = new Thread(() -> runUnlessClosed(action), "interrupted");
        Runtime.getRuntime().addShutdownHook(thread);
    }

    private void runUnlessClosed(Runnable action) {
        if (!closed) {
            action.run();
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            Runtime.getRuntime().removeShutdownHook(thread);
        } catch (IllegalStateException e) {
            // The process ends already: the action runs, or finds this closed.
            return;
        }
    }
}
