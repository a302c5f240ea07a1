package dev.levee.federated.gateway.device;

import org.apache.kafka.common.errors.RetriableException;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Repeats a request to a gateway until this thread is closed or a permanent failure occurs. */
final class AskingThread extends Thread {
    /** How long the gateway may hold a request that it cannot answer yet. */
    static final Duration WAIT = Duration.ofSeconds(25);

    static final long PAUSE_MILLIS = 1000;

    /** The request. */
    interface Question {
        void ask() throws InterruptedException;
    }

    private final Question question;
    private final Consumer<String> waiting;
    private final Consumer<RuntimeException> failed;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Creates the thread without starting it.
     *
     * @param waiting receives the reasons why the request is repeated
     */
    AskingThread(
            String name,
            Question question,
            Consumer<String> waiting,
            Consumer<RuntimeException> failed) {
        super(name);
        this.question = question;
        this.waiting = waiting;
        this.failed = failed;
        setDaemon(true);
    }

    @Override
    public void run() {
        try {
            while (!closed.get()) {
                try {
                    question.ask();
                } catch (RetriableException e) {
                    waiting.accept(e.getMessage());
                    sleep(PAUSE_MILLIS);
                }
            }
        } catch (InterruptedException e) {
            // This thread is only interrupted to end it.
        } catch (RuntimeException e) {
            if (!closed.get()) {
                failed.accept(e);
            }
        }
    }

    /** Ends the thread; false if it was closed before. */
    boolean close() {
        boolean first = closed.compareAndSet(false, true);
        interrupt();
        return first;
    }
}
