package dev.levee.gar.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Runs numbered pieces of work on the caller's thread and on others of the JVM's common pool, so
 * there is nothing to close. Which thread takes which piece is not fixed, so pieces must not depend
 * on one another.
 */
final class Threads {
    private final int count;

    /** Work on up to {@code count} threads, the caller's included. */
    Threads(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("threads must be at least 1, got " + count);
        }
        this.count = count;
    }

    /** True if there is nothing to share out. */
    boolean single() {
        return count == 1;
    }

    /** Runs the pieces 0 to {@code pieces - 1}, and returns when all are done or one has failed. */
    void run(int pieces, IntConsumer work) {
        AtomicInteger next = new AtomicInteger();
        Runnable worker =
                () -> {
                    for (int p = next.getAndIncrement(); p < pieces; p = next.getAndIncrement()) {
                        work.accept(p);
                    }
                };
        List<ForkJoinTask<?>> others = new ArrayList<>();
        for (int t = 1; t < Math.min(count, pieces); t++) {
            others.add(ForkJoinPool.commonPool().submit(worker));
        }
        try {
            worker.run();
        } finally {
            next.set(pieces); // after a failure nobody begins another
            others.forEach(ForkJoinTask::quietlyJoin);
        }
        others.forEach(ForkJoinTask::join);
    }
}
