package dev.levee.operators.rounds.participant;

import dev.levee.connectors.data.Batch;
import dev.levee.learners.Gradient;
import dev.levee.learners.Learner;
import dev.levee.learners.Learner.GpuMemory;
import dev.levee.learners.LocalRound;
import dev.levee.learners.ParticipantException;
import dev.levee.operators.rounds.GradientCost;
import dev.levee.operators.rounds.HalfBatches;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.Work;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * Computes gradients of {@link Workers} on compute threads, which computers of one process may
 * share. Each worker's next batch is read ahead on one of {@value #READERS} other threads, so that
 * reading does not delay a round. A stalled read delays other workers only if all these threads
 * stall. No batch is read twice.
 */
public final class GradientComputer implements AutoCloseable {
    /** Receives results on a computing thread. */
    public interface Done {
        /** The work is done. */
        void computed(Work.Task task, Work.Result result, GradientCost effort);

        /**
         * The participant's own code has failed. A result follows, which proves the fault or comes
         * from a repetition.
         */
        default void faulted(Work.Task task, ParticipantException fault) {}

        /** The computation has failed; there is no result. */
        void failed(Work.Task task, Throwable cause);
    }

    private record Reading(long from, int size, CompletableFuture<Batch> batch) {}

    private static final Logger LOG = LoggerFactory.getLogger(GradientComputer.class);

    /**
     * Batches with more floats are not read ahead, because one for each worker would take too much
     * memory.
     */
    private static final long READ_AHEAD_FLOATS = 1 << 20;

    /** Most floats of all batches that are read ahead: 256 MiB. */
    private static final long MOST_AHEAD_FLOATS = 1 << 26;

    /**
     * Number of reading threads: more than usually stall at once. They mostly wait for disks and
     * networks.
     */
    static final int READERS = 32;

    private static final long IDLE_SECONDS = 10;

    private final Training training;
    private final int trainable;
    private final Done done;
    private final ComputePool.Member computing;
    private final ExecutorService reading;
    private final Map<Integer, Reading> ahead = new ConcurrentHashMap<>();
    private final LongAdder computeNanos = new LongAdder();
    private final long mostAhead;

    /**
     * Creates a computer of a training's gradients, which opens the data set at its first
     * computation.
     *
     * @param name what it computes, for the names of threads
     */
    public GradientComputer(Training training, String name, Done done) {
        this(training, name, done, () -> new Batches(training), MOST_AHEAD_FLOATS);
    }

    /**
     * Creates a computer that shares threads, learners and data with an owner's other computers in
     * this process.
     *
     * @param owner such as a job and a run; all its computers have the same training
     * @param name what it computes, for the names of threads
     */
    public static GradientComputer sharing(
            String owner, Training training, String name, Done done) {
        return new GradientComputer(
                training,
                name,
                done,
                training.model().layout().trainable(),
                ComputePool.join(owner, training, name, training.computeThreads()),
                MOST_AHEAD_FLOATS);
    }

    /**
     * Creates a computer of gradients with given learners.
     *
     * @param threads number of gradients computed at a time
     * @param trainable how many coordinates of a gradient are trained; they come first
     * @param learners closed with the computer
     */
    public GradientComputer(
            Training training,
            String name,
            Done done,
            int threads,
            int trainable,
            LearnerSource learners) {
        this(
                training,
                name,
                done,
                trainable,
                ComputePool.alone(name, learners, () -> new Batches(training), threads),
                MOST_AHEAD_FLOATS);
    }

    /** Creates a computer with a source of batches and a limit of floats that are read ahead. */
    GradientComputer(
            Training training, String name, Done done, Supplier<Batches> open, long mostAhead) {
        this(
                training,
                name,
                done,
                training.model().layout().trainable(),
                ComputePool.alone(
                        name,
                        LearnerSource.shared(training.model()),
                        open,
                        training.computeThreads()),
                mostAhead);
    }

    private GradientComputer(
            Training training,
            String name,
            Done done,
            int trainable,
            ComputePool.Member computing,
            long mostAhead) {
        this.training = training;
        this.trainable = trainable;
        this.done = done;
        this.computing = computing;
        this.mostAhead = mostAhead;
        ThreadPoolExecutor readers =
                new ThreadPoolExecutor(
                        READERS,
                        READERS,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        ComputeThreads.named("read for " + name));
        readers.allowCoreThreadTimeOut(true);
        this.reading = readers;
    }

    /** Starts a computation; each worker has at most one. */
    public void start(Work.Task task) {
        int size = task.settings().batchSize();
        Reading ready = ahead.remove(task.worker());
        if (ready == null || ready.from() != task.consumed() || ready.size() != size) {
            ready = read(task.worker(), task.consumed(), size);
        }
        ready.batch().whenCompleteAsync((batch, failure) -> run(task, batch, failure), computing);
    }

    /** Nanoseconds spent computing so far, over all workers. */
    public long computeNanos() {
        return computeNanos.sum();
    }

    /** The memory that its learners, and those that it shares, use on GPUs. */
    public List<GpuMemory> gpuMemory() {
        return computing.learners().gpuMemory();
    }

    /**
     * Begins to read a batch. For a large batch, the future completes with null, and the batch is
     * read when it is needed.
     */
    private Reading read(int worker, long consumed, int size) {
        return new Reading(
                consumed,
                size,
                CompletableFuture.supplyAsync(
                        () -> {
                            Batches all = batches();
                            return all.floats(size) > READ_AHEAD_FLOATS
                                    ? null
                                    : all.next(worker, consumed, size);
                        },
                        reading));
    }

    private void readAhead(Work.Task task) {
        int size = task.settings().batchSize();
        // A participant sampled for this round is unlikely to be in the next.
        boolean returns = task.settings().cohort().isFirst();
        if (returns && (ahead.size() + 1) * batches().floats(size) <= mostAhead) {
            long next = task.consumed() + batches().stride(task.worker(), task.settings());
            ahead.put(task.worker(), read(task.worker(), next, size));
        }
    }

    private Batches batches() {
        return computing.batches();
    }

    private void run(Work.Task task, Batch read, Throwable failure) {
        try {
            int size = task.settings().batchSize();
            boolean noRoom = causedByMemory(failure) && mayHalve(size);
            if (failure != null && !noRoom) {
                done.failed(task, failure);
                return;
            }
            compute(task, read, noRoom ? size / 2 : size);
        } catch (RejectedExecutionException e) {
            LOG.debug("the task ended before worker {} had its gradient", task.worker());
        } catch (Throwable e) {
            fail(task, e);
        }
    }

    private void fail(Work.Task task, Throwable cause) {
        try {
            done.failed(task, cause);
        } catch (RejectedExecutionException e) {
            LOG.debug("the task ended before it heard of a failure", cause);
        }
    }

    private void compute(Work.Task task, Batch read, int size) {
        Learner learner = computing.learners().take(task);
        Steps steps = new Steps(task, learner, read, size);
        Work.Result result;
        try {
            result = training.work().work(task, task.kept(), trainable, steps);
        } catch (ParticipantException e) {
            result = ParticipantFault.result(training, task, e);
            done.faulted(task, e);
        } finally {
            computeNanos.add(steps.nanos);
            learner.repeated().forEach(failure -> done.faulted(task, failure));
            computing.learners().giveBack(learner);
        }
        if (read != null) {
            // Comes first, because the result may cause a request for this batch.
            readAhead(task);
        }
        done.computed(task, result, new GradientCost(steps.size, steps.nanos, steps.bytes));
    }

    private boolean mayHalve(int size) {
        return training.plan().measuresEffort() && size > 1;
    }

    private static boolean causedByMemory(Throwable failure) {
        return failure instanceof OutOfMemoryError
                || failure != null && failure.getCause() instanceof OutOfMemoryError;
    }

    /** The gradients of one task, on one learner. */
    private final class Steps extends TaskGradients {
        private final Batch read;
        private long nanos;
        private long bytes;

        /**
         * Gradients of one task.
         *
         * @param read the first batch, null if it must be read
         */
        private Steps(Work.Task task, Learner learner, Batch read, int size) {
            super(training, task, learner, GradientComputer.this::batches);
            this.read = read;
            this.size = size;
        }

        /** Set by the last gradient, if its batch was computed in two halves. */
        private HalfBatches halves;

        @Override
        public HalfBatches halves() {
            return halves;
        }

        @Override
        public LocalRound.Result trained(float[] parameters, double rate, int steps) {
            long start = System.nanoTime();
            try {
                return super.trained(parameters, rate, steps);
            } finally {
                nanos += System.nanoTime() - start;
            }
        }

        /** If a batch takes too much memory, uses half of it and reports that to the plan. */
        @Override
        public Gradient at(float[] parameters, int step) {
            Batch ready = step == 0 ? read : null;
            while (true) {
                try {
                    return gradient(parameters, step, ready);
                } catch (OutOfMemoryError e) {
                    if (!mayHalve(size)) {
                        throw e;
                    }
                    LOG.warn(
                            "worker {} ran out of memory on {} samples in round {} and continues"
                                    + " with half of them: {}",
                            task.worker(),
                            size,
                            task.round(),
                            e.getMessage());
                }
                size /= 2;
                ready = null;
            }
        }

        private Gradient gradient(float[] parameters, int step, Batch ready) {
            Batch batch = ready != null ? ready : super.batch(step);
            // With one worker, noise is measured between the halves of its batch.
            boolean alone = training.plan().measuresNoise() && task.settings().workers() == 1;
            return alone && size == task.settings().batchSize() && size > 1
                    ? inHalves(parameters, batch)
                    : gradient(parameters, batch, step);
        }

        @Override
        Batch batch(int step) {
            return step == 0 && read != null ? read : super.batch(step);
        }

        private Gradient inHalves(float[] parameters, Batch batch) {
            int size = batch.size();
            int half = HalfBatches.first(size);
            Gradient first = gradient(parameters, batch.part(0, half), 0);
            Gradient second = gradient(parameters, batch.part(half, size), 1);
            halves =
                    HalfBatches.of(
                            first.values(), second.values(), training.model().layout().trainable());
            double share = (double) half / size;
            float[] mean = new float[first.values().length];
            for (int i = 0; i < mean.length; i++) {
                mean[i] = (float) (share * first.values()[i] + (1 - share) * second.values()[i]);
            }
            return new Gradient(mean, share * first.loss() + (1 - share) * second.loss());
        }

        @Override
        Gradient gradient(float[] parameters, Batch batch, int step) {
            long start = System.nanoTime();
            try {
                return super.gradient(parameters, batch, step);
            } finally {
                nanos += System.nanoTime() - start;
                bytes = Math.max(bytes, learner.workingSet());
            }
        }
    }

    /** Ends all threads; unfinished computations are lost. */
    @Override
    public void close() {
        reading.shutdownNow();
        computing.close();
    }
}
