package dev.levee.jobs.internal.run.follow;

/**
 * Runs an action if the user ends this process before the hook is closed, for example with Ctrl-C.
 */
public final class ShutdownHook implements AutoCloseable {
    private final Thread thread;
    private volatile boolean closed;

    /** Registers an action to run when the process ends. */
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
            // The process is already ending: the action is running, or will find the hook closed.
            return;
        }
    }
}
