package dev.levee.federated.gateway.device;

import org.apache.kafka.common.errors.RetriableException;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Asks a gateway again and again, until it is closed or a failure does not pass. */
final class AskingThread extends Thread {
    /** How long the gateway may keep a question to which there is no answer yet. */
    static final Duration WAIT = Duration.ofSeconds(25);

    static final long PAUSE_MILLIS = 1000;

    /** A request that is repeated. */
    interface Question {
        void ask() throws InterruptedException;
    }

    private final Question question;
    private final Consumer<String> waiting;
    private final Consumer<RuntimeException> failed;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * A thread to be started.
     *
     * @param waiting receives why a question is repeated
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
            // Nobody interrupts this thread but to end it.
        } catch (RuntimeException e) {
            if (!closed.get()) {
                failed.accept(e);
            }
        }
    }

    /** Ends it; false if it was closed before. */
    boolean close() {
        boolean first = closed.compareAndSet(false, true);
        interrupt();
        return first;
    }
}
