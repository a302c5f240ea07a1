package dev.levee.operators.flink.internal.runtime.history;

import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.RunSink;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.time.Duration;

/**
 * Passes a run's results to their sink. Its target may be unavailable for a while, so it retries
 * for half a minute; a restart would only train the last rounds again.
 */
public final class Delivery {
    private static final Logger LOG = LoggerFactory.getLogger(Delivery.class);
    private static final int TRIES = 6;
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

    /** Waits between attempts. */
    @FunctionalInterface
    public interface Pause {
        void of(Duration time) throws InterruptedException;
    }

    private final RunSink sink;
    private final Pause pause;

    /** Creates a delivery that uses this pause between attempts. */
    public Delivery(RunSink sink, Pause pause) {
        this.sink = sink;
        this.pause = pause;
    }

    /**
     * Passes a result to the sink.
     *
     * @throws RunFailedException if the sink does not accept it; one sentence
     */
    public void of(RunResult result) throws InterruptedException {
        Duration wait = FIRST_PAUSE;
        for (int attempt = 1; true; attempt++) {
            try {
                sink.finished(result);
                return;
            } catch (IOException e) {
                if (attempt == TRIES) {
                    throw failed(e);
                }
                LOG.warn("results cannot be written; trying again in {} s", wait.toSeconds(), e);
            } catch (RuntimeException e) {
                throw failed(e);
            }
            pause.of(wait);
            wait = wait.multipliedBy(2);
        }
    }

    private static RunFailedException failed(Exception cause) {
        return new RunFailedException("its results cannot be written: " + cause, cause);
    }
}
