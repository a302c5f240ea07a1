package dev.levee.gar.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Runs numbered tasks on the caller's thread and threads of the JVM's common pool; nothing needs to
 * be closed. Tasks must be independent, because their assignment to threads is not fixed.
 */
public final class Threads {
    private final int count;

    /** Uses up to {@code count} threads, including the caller's. */
    public Threads(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("threads must be at least 1, got " + count);
        }
        this.count = count;
    }

    /** True if all work runs on the caller's thread. */
    boolean single() {
        return count == 1;
    }

    /** Runs the tasks 0 to {@code tasks - 1}, and returns when all are done or one has failed. */
    public void run(int tasks, IntConsumer work) {
        AtomicInteger next = new AtomicInteger();
        Runnable worker =
                () -> {
                    for (int p = next.getAndIncrement(); p < tasks; p = next.getAndIncrement()) {
                        work.accept(p);
                    }
                };
        List<ForkJoinTask<?>> others = new ArrayList<>();
        for (int t = 1; t < Math.min(count, tasks); t++) {
            others.add(ForkJoinPool.commonPool().submit(worker));
        }
        try {
            worker.run();
        } finally {
            next.set(tasks); // after a failure, no thread begins another task
            others.forEach(ForkJoinTask::quietlyJoin);
        }
        others.forEach(ForkJoinTask::join);
    }
}
