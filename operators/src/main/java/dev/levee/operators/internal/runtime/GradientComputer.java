package dev.levee.operators.internal.runtime;

import dev.levee.connectors.Batch;
import dev.levee.connectors.Dataset;
import dev.levee.connectors.Datasets;
import dev.levee.learners.Gradient;
import dev.levee.learners.Learner;
import dev.levee.operators.Training;
import dev.levee.operators.rounds.Sampler;
import dev.levee.operators.rounds.Workers;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Computes the gradients of one subtask's workers, off the task thread: a thread per worker, so
 * that one that stalls holds back no other, and a learner per gradient computed at a time, so that
 * they do not crowd the processor.
 */
final class GradientComputer implements AutoCloseable {
    /** Where results go; called on a computing thread. */
    interface Done {
        void computed(Workers.Task task, Gradient gradient);

        void failed(Workers.Task task, Throwable cause);
    }

    private static final Logger LOG = LoggerFactory.getLogger(GradientComputer.class);
    private static final long CLOSE_SECONDS = 30;

    private final Training training;
    private final Done done;
    private final ExecutorService threads;
    private final Semaphore permits;
    private final ArrayDeque<Learner> learners = new ArrayDeque<>();
    private final Map<Integer, Sampler> samplers = new HashMap<>();
    private final LongAdder computeNanos = new LongAdder();
    private Dataset data;
    private int[][] shares;

    GradientComputer(Training training, String name, Done done) {
        this.training = training;
        this.done = done;
        this.permits = new Semaphore(training.computeThreads(), true);
        this.threads =
                Executors.newCachedThreadPool(
                        task -> {
                            Thread thread = new Thread(task, name);
                            thread.setDaemon(true);
                            return thread;
                        });
    }

    /** Starts a computation; a worker has one at a time. */
    void start(Workers.Task task) {
        threads.execute(() -> run(task));
    }

    /** Nanoseconds spent computing so far, over all workers. */
    long computeNanos() {
        return computeNanos.sum();
    }

    private void run(Workers.Task task) {
        try {
            // Reading may stall; it holds no permit.
            Batch batch = batch(task);
            permits.acquire();
            Gradient gradient;
            try {
                gradient = compute(task, batch);
            } finally {
                permits.release();
            }
            done.computed(task, gradient);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RejectedExecutionException e) {
            LOG.debug("the task ended before worker {} had its gradient", task.worker());
        } catch (Throwable e) {
            fail(task, e);
        }
    }

    private void fail(Workers.Task task, Throwable cause) {
        try {
            done.failed(task, cause);
        } catch (RejectedExecutionException e) {
            LOG.debug("the task ended before it heard of a failure", cause);
        }
    }

    private Gradient compute(Workers.Task task, Batch batch) {
        Learner learner = takeLearner();
        long start = System.nanoTime();
        try {
            return learner.gradient(
                    task.parameters(),
                    batch,
                    Sampler.modelSeed(training.seed(), task.worker(), task.round()));
        } finally {
            computeNanos.add(System.nanoTime() - start);
            giveBack(learner);
        }
    }

    private Batch batch(Workers.Task task) {
        int[] indexes = sampler(task.worker()).next(task.consumed(), task.settings().batchSize());
        Batch batch = data.batch(indexes);
        boolean flip = training.attacks(task.worker()) && training.attack().flipsLabels();
        if (!flip) {
            return batch;
        }
        int last = data.classes() - 1;
        return new Batch(
                batch.features(), Arrays.stream(batch.labels()).map(y -> last - y).toArray());
    }

    private synchronized Sampler sampler(int worker) {
        if (data == null) {
            data = Datasets.open(training.dataset(), Datasets.Split.TRAIN);
            int[] labels = new int[data.size()];
            Arrays.setAll(labels, data::label);
            shares =
                    training.partition()
                            .deal(labels, data.classes(), training.workers(), training.seed());
        }
        return samplers.computeIfAbsent(worker, w -> new Sampler(shares[w], training.seed(), w));
    }

    private Learner takeLearner() {
        synchronized (learners) {
            if (!learners.isEmpty()) {
                return learners.pop();
            }
        }
        return training.model().newLearner();
    }

    private void giveBack(Learner learner) {
        synchronized (learners) {
            learners.push(learner);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        boolean ended;
        try {
            ended = threads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            ended = false;
        }
        // A learner that is still computing must not lose its memory under its feet.
        if (ended) {
            learners.forEach(Learner::close);
        }
    }
}
