package dev.levee.operators.tasks;

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
 * Runs tasks, one at a time, on a separate thread, because a task may take minutes and checkpoints
 * must not wait for it. In a checkpoint, a running task counts as not done.
 */
final class TaskReader<R> implements SourceReader<R, TaskSplit> {
    private final TaskPlan<R> plan;
    private final SourceReaderContext context;
    private final ExecutorService executor;
    private final Deque<TaskSplit> waiting = new ArrayDeque<>();
    private volatile TaskRunner<R> runner;
    private volatile boolean closed;
    private TaskSplit running;
    private CompletableFuture<R> result;
    private CompletableFuture<Void> wake = new CompletableFuture<>();
    private boolean noMore;

    TaskReader(TaskPlan<R> plan, String name, SourceReaderContext context) {
        this.plan = plan;
        this.context = context;
        ClassLoader classes = Thread.currentThread().getContextClassLoader();
        this.executor =
                Executors.newSingleThreadExecutor(
                        task -> {
                            Thread thread =
                                    new Thread(task, name + " " + context.getIndexOfSubtask());
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
    public InputStatus pollNext(ReaderOutput<R> output) {
        if (running != null) {
            if (!result.isDone()) {
                return InputStatus.NOTHING_AVAILABLE;
            }
            R done = done();
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

    /**
     * Returns the result of the completed task. A failed task would fail again, so the job is not
     * restarted. It is restarted if the runner could not be opened.
     */
    private R done() {
        try {
            return result.join();
        } catch (CompletionException e) {
            if (runner == null) {
                throw e;
            }
            throw new SuppressRestartsException(e.getCause() == null ? e : e.getCause());
        }
    }

    private R run(int task) {
        if (runner == null) {
            runner = plan.open();
        }
        if (closed) {
            runner.close(); // it was created after the reader was closed
        }
        return runner.run(task);
    }

    @Override
    public List<TaskSplit> snapshotState(long checkpoint) {
        List<TaskSplit> all = new ArrayList<>(waiting);
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
    public void addSplits(List<TaskSplit> splits) {
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
        TaskRunner<R> started = runner;
        if (started != null) {
            started.close();
        }
        executor.shutdownNow();
    }
}
