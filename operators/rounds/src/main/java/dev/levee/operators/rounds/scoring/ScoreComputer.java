package dev.levee.operators.rounds.scoring;

import dev.levee.operators.rounds.participant.ComputeThreads;
import dev.levee.operators.rounds.training.Training;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;

/** Computes the scores that {@link Scoring} requests, one after another on a thread of its own. */
public final class ScoreComputer implements AutoCloseable {
    /** Receives results on the computing thread. */
    public interface Done {
        /** A score has been computed; NaN if a loss is not finite. */
        void scored(Scoring.Task task, double score);

        /** The computation has failed; there is no score. */
        void failed(Scoring.Task task, Throwable cause);
    }

    private static final Logger LOG = LoggerFactory.getLogger(ScoreComputer.class);

    private final Training training;
    private final Done done;
    private final ExecutorService thread;
    private final LongAdder nanos = new LongAdder();
    private Scores scores;

    /**
     * Creates a computer of a training's scores, which opens data and model at its first
     * computation.
     *
     * @param name what it computes, for the name of its thread
     */
    public ScoreComputer(Training training, String name, Done done) {
        this.training = training;
        this.done = done;
        this.thread = ComputeThreads.one(name);
    }

    /** Starts a computation. */
    public void start(Scoring.Task task) {
        thread.execute(() -> run(task));
    }

    /** Nanoseconds spent computing so far. */
    public long computeNanos() {
        return nanos.sum();
    }

    private void run(Scoring.Task task) {
        try {
            long start = System.nanoTime();
            if (scores == null) {
                scores = new Scores(training);
            }
            double score = scores.score(task);
            nanos.add(System.nanoTime() - start);
            done.scored(task, score);
        } catch (RejectedExecutionException e) {
            LOG.debug("the task ended before worker {} had its score", task.worker());
        } catch (Throwable e) {
            fail(task, e);
        }
    }

    private void fail(Scoring.Task task, Throwable cause) {
        try {
            done.failed(task, cause);
        } catch (RejectedExecutionException e) {
            LOG.debug("the task ended before it heard of a failure", cause);
        }
    }

    /** Ends the thread; unfinished computations are lost. */
    @Override
    public void close() {
        ComputeThreads.end(
                thread,
                () -> {
                    if (scores != null) {
                        scores.close();
                    }
                });
    }
}
