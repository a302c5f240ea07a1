package dev.levee.estimation.flink;

import dev.levee.estimation.CrossFitting;

import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.runtime.execution.SuppressRestartsException;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Runs tasks, one at a time, on a separate thread: a fit may take minutes, and checkpoints do not
 * wait for it. A checkpoint contains a running task as not done.
 */
final class FitReader implements SourceReader<FitResult, FitSplit> {
    private final EstimationPlan plan;
    private final SourceReaderContext context;
    private final ExecutorService executor;
    private final Deque<FitSplit> waiting = new ArrayDeque<>();
    private volatile CrossFitting fitting;
    private volatile boolean closed;
    private FitSplit running;
    private CompletableFuture<FitResult> result;
    private CompletableFuture<Void> wake = new CompletableFuture<>();
    private boolean noMore;

    FitReader(EstimationPlan plan, SourceReaderContext context) {
        this.plan = plan;
        this.context = context;
        ClassLoader classes = Thread.currentThread().getContextClassLoader();
        this.executor =
                Executors.newSingleThreadExecutor(
                        task -> {
                            Thread thread = new Thread(task, "fit " + context.getIndexOfSubtask());
                            thread.setDaemon(true);
                            thread.setContextClassLoader(classes);
                            return thread;
                        });
    }

    @Override
    public void start() {
        if (waiting.isEmpty()) {
            context.sendSplitRequest();
        }
    }

    @Override
    public InputStatus pollNext(ReaderOutput<FitResult> output) {
        if (running != null) {
            if (!result.isDone()) {
                return InputStatus.NOTHING_AVAILABLE;
            }
            FitResult done = done();
            running = null;
            if (waiting.isEmpty()) {
                context.sendSplitRequest();
            }
            output.collect(done);
        }
        if (!waiting.isEmpty()) {
            running = waiting.poll();
            int task = running.task();
            result = CompletableFuture.supplyAsync(() -> run(task), executor);
            return InputStatus.NOTHING_AVAILABLE;
        }
        if (noMore) {
            return InputStatus.END_OF_INPUT;
        }
        wake = new CompletableFuture<>();
        return InputStatus.NOTHING_AVAILABLE;
    }

    /** The same fit would fail again, so the job is not started again. */
    private FitResult done() {
        try {
            return result.join();
        } catch (CompletionException e) {
            throw new SuppressRestartsException(e.getCause() == null ? e : e.getCause());
        }
    }

    private FitResult run(int task) {
        if (fitting == null) {
            fitting = plan.fitting();
        }
        if (closed) {
            fitting.close(); // it was not there yet when the reader was closed
        }
        long began = System.nanoTime();
        double[] predictions = fitting.run(task);
        return new FitResult(
                task,
                task / plan.tasksPerRepetition(),
                predictions,
                (System.nanoTime() - began) / 1e9);
    }

    @Override
    public List<FitSplit> snapshotState(long checkpoint) {
        List<FitSplit> all = new ArrayList<>(waiting);
        if (running != null) {
            all.add(0, running);
        }
        return all;
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
        return running == null ? wake : result.handle((done, failure) -> null);
    }

    @Override
    public void addSplits(List<FitSplit> splits) {
        waiting.addAll(splits);
        wake.complete(null);
    }

    @Override
    public void notifyNoMoreSplits() {
        noMore = true;
        wake.complete(null);
    }

    @Override
    public void close() {
        closed = true;
        CrossFitting started = fitting;
        if (started != null) {
            started.close();
        }
        executor.shutdownNow();
    }
}
