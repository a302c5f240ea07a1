package dev.levee.connectors.kafka.worker;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.wire.Frames;
import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.connectors.kafka.wire.SigningKey;
import dev.levee.connectors.kafka.wire.ToldScores;
import dev.levee.learners.Evaluation;
import dev.levee.learners.Learner;
import dev.levee.operators.rounds.participant.ComputeThreads;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.vector.Slices;

import org.apache.kafka.common.errors.RetriableException;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.function.LongSupplier;

/**
 * Evaluates versions on this worker's test samples, for a job that cannot compute its model. Rounds
 * do not wait for evaluations: while one version is evaluated or sent, only the newest other
 * version is queued. Runs on the worker's thread, except for the evaluation itself, whose results
 * come back through the worker's mailbox.
 */
final class VersionEvaluator implements AutoCloseable {
    private final int worker;
    private final SigningKey signing;
    private final Training training;
    private final String topic;
    private final Executor mailbox;
    private final LongSupplier micros;
    private final WorkerListener listener;
    private final FrameSink sink;
    private final ExecutorService thread = ComputeThreads.one("evaluation");
    private final Learner learner;
    private ReadModel waiting;
    private boolean busy;
    private boolean closed;

    /**
     * Creates an evaluator.
     *
     * @param signing the worker's key, directed at the job; null in a run without keys
     * @param training training with the model and the data
     * @param mailbox runs tasks on the worker's thread
     * @param micros the clock, microseconds since the epoch
     */
    VersionEvaluator(
            int worker,
            SigningKey signing,
            Training training,
            Connection connection,
            Topics topics,
            Executor mailbox,
            LongSupplier micros,
            WorkerListener listener) {
        this.worker = worker;
        this.signing = signing;
        this.training = training;
        this.topic = topics.scores();
        this.mailbox = mailbox;
        this.micros = micros;
        this.listener = listener;
        this.sink = connection.scores(worker);
        this.learner = training.model().newLearner();
    }

    /** Evaluates a version for the job, or queues it. */
    void evaluate(ReadModel model) {
        waiting = model;
        next();
    }

    /** True if no evaluation is running or left to send. */
    boolean idle() {
        return !busy && waiting == null;
    }

    private void next() {
        if (busy || waiting == null) {
            return;
        }
        ReadModel model = waiting;
        waiting = null;
        busy = true;
        thread.execute(() -> run(model));
    }

    private void run(ReadModel model) {
        try {
            Slices slices = Slices.of(training.model().layout());
            float[] parameters = slices.whole(block -> model.blocks().get(block).values());
            Dataset test = Datasets.open(training.data().uri(), Datasets.Split.TEST);
            Evaluation evaluation = learner.evaluate(parameters, test);
            mailbox.execute(() -> tell(model, evaluation));
        } catch (Throwable e) {
            mailbox.execute(() -> failed(model, e));
        }
    }

    private void failed(ReadModel model, Throwable cause) {
        if (!closed) {
            throw new IllegalStateException(
                    "the job asks %s to evaluate version %d, which failed: %s"
                            .formatted(
                                    KeyDirectory.name(worker),
                                    model.version(),
                                    cause instanceof Exception ? cause.getMessage() : cause),
                    cause);
        }
    }

    private void tell(ReadModel model, Evaluation evaluation) {
        if (closed) {
            return;
        }
        ToldScores told =
                new ToldScores(
                        model.run(),
                        model.version(),
                        worker,
                        evaluation.loss(),
                        evaluation.samples(),
                        micros.getAsLong(),
                        evaluation.scores());
        try {
            sink.send(
                    0,
                    Frames.of(told, signing),
                    failure -> mailbox.execute(() -> told(model, evaluation, failure)));
        } catch (RetriableException e) {
            mailbox.execute(() -> told(model, evaluation, e));
        }
    }

    private void told(ReadModel model, Evaluation evaluation, RuntimeException failure) {
        if (failure == null) {
            listener.evaluated(model.run(), model.version(), evaluation);
        } else if (failure instanceof RetriableException) {
            listener.waiting(
                    "no broker accepts scores on topic %s: %s"
                            .formatted(topic, failure.getMessage()));
            waiting = waiting == null ? model : waiting;
        } else if (!closed) {
            throw failure;
        }
        busy = false;
        next();
    }

    @Override
    public void close() {
        closed = true;
        ComputeThreads.end(thread, learner::close);
        sink.close();
    }
}
