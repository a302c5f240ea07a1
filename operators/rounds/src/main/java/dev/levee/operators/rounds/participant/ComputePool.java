package dev.levee.operators.rounds.participant;

import dev.levee.operators.rounds.training.Training;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The threads, learners and data that the {@link GradientComputer}s of one run share in one
 * process. Each computer adds its threads, and all of them use any thread. Keys distribute
 * participants among slots, so a round may have more work in one slot than in another, and would
 * wait for that slot if threads were not shared. The thread that computes does not change a result.
 */
final class ComputePool {
    private static final long CLOSE_SECONDS = 30;

    /** Pools with members, by owner. */
    private static final Map<String, ComputePool> SHARED = new HashMap<>();

    private final String owner;
    private final LearnerSource learners;
    private final Supplier<Batches> open;
    private final ThreadPoolExecutor threads;
    private int size;
    private int members;

    /** False if a member left while it was computing. */
    private boolean idle = true;

    private Batches batches;

    private ComputePool(String owner, String name, LearnerSource learners, Supplier<Batches> open) {
        this.owner = owner;
        this.learners = learners;
        this.open = open;
        this.threads =
                new ThreadPoolExecutor(
                        0,
                        1,
                        0,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        ComputeThreads.named("compute " + name));
    }

    /**
     * Joins the pool of an owner in this process; the first member creates it.
     *
     * @param owner such as a job and a run
     * @param name what is computed, for the names of threads
     * @param brought threads that the member adds
     */
    static Member join(String owner, Training training, String name, int brought) {
        synchronized (SHARED) {
            return SHARED.computeIfAbsent(
                            owner,
                            each ->
                                    new ComputePool(
                                            each,
                                            name,
                                            LearnerSource.shared(training.model()),
                                            () -> new Batches(training)))
                    .join(brought);
        }
    }

    /**
     * Creates a pool with one member.
     *
     * @param name what is computed, for the names of threads
     * @param learners closed with the member
     * @param open opens the data
     */
    static Member alone(String name, LearnerSource learners, Supplier<Batches> open, int threads) {
        return new ComputePool(null, name, learners, open).join(threads);
    }

    private Member join(int brought) {
        members++;
        resize(brought);
        return new Member(brought);
    }

    private void resize(int by) {
        size += by;
        if (by > 0) {
            threads.setMaximumPoolSize(size);
        }
        threads.setCorePoolSize(size);
        if (by < 0) {
            threads.setMaximumPoolSize(Math.max(1, size));
        }
    }

    private void leave(int brought, boolean ended) {
        synchronized (SHARED) {
            resize(-brought);
            idle &= ended;
            if (--members > 0) {
                return;
            }
            SHARED.remove(owner, this);
        }
        threads.shutdown();
        // Keeps the memory of a learner that is still computing.
        if (idle) {
            learners.close();
        }
    }

    private synchronized Batches batches() {
        if (batches == null) {
            batches = open.get();
        }
        return batches;
    }

    /** A computer's share in the pool. */
    final class Member implements Executor, AutoCloseable {
        private final int brought;
        private final Set<Thread> computing = new HashSet<>();
        private boolean closed;

        private Member(int brought) {
            this.brought = brought;
        }

        LearnerSource learners() {
            return learners;
        }

        /** The batches of all participants, shared by all members. */
        Batches batches() {
            return ComputePool.this.batches();
        }

        /** Runs a computation, unless the member has left. */
        @Override
        public void execute(Runnable computation) {
            threads.execute(
                    () -> {
                        if (begin()) {
                            try {
                                computation.run();
                            } finally {
                                end();
                            }
                        }
                    });
        }

        private synchronized boolean begin() {
            return !closed && computing.add(Thread.currentThread());
        }

        private synchronized void end() {
            computing.remove(Thread.currentThread());
            // Clears an interruption, which was meant for this computation only.
            Thread.interrupted();
            notifyAll();
        }

        /** Interrupts this member's computations and leaves; their results are lost. */
        @Override
        public void close() {
            boolean ended = false;
            try {
                ended = interrupt();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                leave(brought, ended);
            }
        }

        /** True if all computations have ended. */
        private synchronized boolean interrupt() throws InterruptedException {
            closed = true;
            computing.forEach(Thread::interrupt);
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(CLOSE_SECONDS);
            long left = CLOSE_SECONDS * 1000;
            while (!computing.isEmpty() && left > 0) {
                wait(left);
                left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            }
            return computing.isEmpty();
        }
    }
}
