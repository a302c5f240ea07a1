package dev.levee.learners.internal.python;

import dev.levee.connectors.data.Batch;
import dev.levee.connectors.data.Dataset;
import dev.levee.learners.Evaluation;
import dev.levee.learners.Gradient;
import dev.levee.learners.Learner;
import dev.levee.learners.LocalRound;
import dev.levee.learners.ParticipantException;
import dev.levee.learners.internal.Arguments;
import dev.levee.learners.internal.Evaluations;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Computes gradients of a {@link PythonModel} in an interpreter that runs until the learner is
 * closed. An interpreter that died, or that ran out of memory because of a leak, is restarted and
 * computes the same results, because it keeps no state that affects them.
 */
final class PythonLearner implements Learner {
    private static final Logger LOG = LoggerFactory.getLogger(PythonLearner.class);

    /** Where it is logged what is of interest to a participant. */
    private static final Logger PRINTED = LoggerFactory.getLogger(Learner.PRINTED);

    /** Maximum number of attempts at a computation during which the interpreter dies. */
    private static final int ATTEMPTS = 3;

    private static final long FIRST_PAUSE_MILLIS = 200;

    /** Computations of a process after each of which the memory of its GPU is read. */
    private static final int FIRST_READ = 10;

    /** Later, it is read after every so many: PyTorch gathers all its statistics for that. */
    private static final int READ_EVERY = 50;

    private final PythonModel model;
    private final int turn;
    private final int size;
    private PythonProcess process;
    private SharedFloats values;
    private SharedFloats gradient;
    private MappedFile batch;
    private MappedFile state;

    /** Parameters that the process has; arrays are compared by identity. */
    private float[] loaded;

    private final List<ParticipantException> repeated = new ArrayList<>();

    /** True if the process has answered, so that it may have leaked. */
    private boolean used;

    private boolean closed;

    /** By the process that is there now. */
    private long computations;

    /** The memory that the process uses on a GPU; null if there is none, or none was read yet. */
    private volatile GpuMemory gpuMemory;

    /**
     * Creates a learner.
     *
     * @param turn number of the learner, by which learners take GPUs in turn
     */
    PythonLearner(PythonModel model, int turn) {
        this.model = model;
        this.turn = turn;
        size = model.layout().size();
    }

    @Override
    public synchronized Gradient gradient(float[] parameters, Batch samples, long seed) {
        check(parameters, samples);
        return persistently(
                () -> {
                    load(parameters, samples);
                    process.tell("gradient", seed, samples.size());
                    float[] made = allocate();
                    double loss = computed(process.hear());
                    gradient.get(made);
                    return new Gradient(made, loss, () -> model.unread().add(made));
                });
    }

    /**
     * Allocates the array of a gradient. This takes as long as a copy, so it is done while Python
     * computes.
     */
    private float[] allocate() {
        float[] before = model.unread().poll();
        if (before != null) {
            return before;
        }
        try {
            return new float[size];
        } catch (OutOfMemoryError e) {
            process.close(); // its answer will not be read
            throw e;
        }
    }

    @Override
    public synchronized LocalRound.Result train(float[] parameters, LocalRound round) {
        return persistently(
                () -> {
                    int samples = load(parameters, round);
                    List<String> said =
                            process.ask(
                                    "train",
                                    round.participant(),
                                    round.round(),
                                    round.rate(),
                                    round.seed(),
                                    round.steps(),
                                    round.batchSize(),
                                    samples,
                                    round.state().length);
                    float[] trained = new float[size];
                    values.get(trained);
                    byte[] keeps = kept(Integer.parseInt(said.get(1)));
                    return new LocalRound.Result(trained, number(said), keeps);
                });
    }

    /** Passes all batches of a round, one after another, and the loop's state to the process. */
    private int load(float[] parameters, LocalRound round) {
        Batch[] batches = new Batch[round.steps()];
        Arrays.setAll(batches, round.batches()::apply);
        for (Batch each : batches) {
            check(parameters, each);
        }
        int samples = Arrays.stream(batches).mapToInt(Batch::size).sum();
        loaded = null; // the loop will change the values in place
        values.put(parameters, 0);
        reserve(samples);
        int before = 0;
        for (Batch each : batches) {
            put(each, before, samples);
            before += each.size();
        }
        if (round.state().length > 0) {
            reserveState(round.state().length);
            state.from(0).put(round.state());
        }
        return samples;
    }

    private byte[] kept(int length) {
        byte[] keeps = new byte[length];
        if (length > 0) {
            reserveState(length);
            process.ask("keep");
            state.from(0).get(keeps);
        }
        return keeps;
    }

    private void reserveState(int length) {
        if (state == null || state.size() < length) {
            state = shared("state", length);
        }
    }

    @Override
    public synchronized Evaluation evaluate(float[] parameters, Dataset data) {
        return model.scores().isEmpty()
                ? Evaluations.unscored(data, samples -> evaluated(parameters, samples).loss())
                : Evaluations.run(data, model.task(), samples -> evaluated(parameters, samples));
    }

    private Evaluations.Outputs evaluated(float[] parameters, Batch samples) {
        check(parameters, samples);
        boolean scored = !model.scores().isEmpty();
        return persistently(
                () -> {
                    load(parameters, samples);
                    int count = samples.size();
                    String told = scored ? "scored" : "unscored";
                    double loss = computed(process.ask("evaluate", count, told));
                    float[] outputs = new float[scored ? count * model.task().outputs() : 0];
                    batch.from((int) outputsAt(count)).asFloatBuffer().get(outputs);
                    return new Evaluations.Outputs(outputs, count * loss);
                });
    }

    /**
     * Returns the loss in an answer. The answer also says whether the user's code changed the
     * parameters.
     */
    private double computed(List<String> said) {
        if (!said.get(1).equals("0")) {
            loaded = null; // the next call passes them again
        }
        return number(said);
    }

    private void check(float[] parameters, Batch samples) {
        if (closed) {
            throw new IllegalStateException("the learner is closed");
        }
        Arguments.check(parameters, size, samples, model.features(), model.task());
    }

    private <T> T persistently(Supplier<T> work) {
        for (int attempt = 1; ; attempt++) {
            try {
                if (process == null || process.closed()) {
                    start();
                }
                T made = work.get();
                used = true;
                readGpuMemory();
                return made;
            } catch (PythonProcess.LostException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
                restarted(e.getMessage() + ", and was restarted");
                pause(FIRST_PAUSE_MILLIS << attempt);
            } catch (PythonProcess.FullError e) {
                if (process != null) { // else the first one could not start
                    process.close();
                }
                if (!used) {
                    throw e;
                }
                restarted(e.getMessage() + "; its interpreter may have leaked and was restarted");
            } catch (ParticipantException e) {
                loaded = null; // the code may have changed them before it failed
                throw e;
            }
        }
    }

    private void readGpuMemory() {
        computations++;
        if (model.onGpu() && (computations <= FIRST_READ || computations % READ_EVERY == 0)) {
            gpuMemory = process.gpuMemory();
        }
    }

    @Override
    public Optional<GpuMemory> gpuMemory() {
        return Optional.ofNullable(gpuMemory);
    }

    private static void log(GpuMemory memory) {
        PRINTED.info(
                "python {} took at most {} MiB of cuda:{} for tensors, and kept {} MiB",
                memory.process(),
                memory.allocated() >> 20,
                memory.gpu(),
                memory.reserved() >> 20);
    }

    private void restarted(String message) {
        LOG.warn(message);
        repeated.add(new ParticipantException(message, null));
    }

    @Override
    public synchronized List<ParticipantException> repeated() {
        List<ParticipantException> all = List.copyOf(repeated);
        repeated.clear();
        return all;
    }

    private static void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while Python was restarting", e);
        }
    }

    private void start() {
        if (process != null) {
            process.close();
        }
        used = false;
        computations = 0;
        process = model.start(0, turn);
        loaded = null;
        batch = null;
        state = null;
        long bytes = (long) Float.BYTES * size;
        values = new SharedFloats(shared("values", bytes));
        gradient = new SharedFloats(shared("gradient", bytes));
    }

    private MappedFile shared(String what, long bytes) {
        try (MappedFile memory = MappedFile.create(bytes)) {
            process.ask("map", what, memory.path(), bytes);
            return memory;
        }
    }

    /**
     * Passes parameters and samples to the process. Known parameters are not passed again, but
     * their buffers are, because a step changes buffers.
     */
    private void load(float[] parameters, Batch samples) {
        int from = parameters == loaded ? model.layout().trainable() : 0;
        values.put(parameters, from);
        loaded = parameters;
        reserve(samples.size());
        put(samples, 0, samples.size());
    }

    /** Makes room for {@code count} samples with their answers and outputs. */
    private void reserve(int count) {
        long needed = outputsAt(count) + 4L * count * model.task().outputs();
        if (batch == null || batch.size() < needed) {
            batch = shared("batch", needed);
        }
    }

    /** Writes samples after {@code before} others, in memory for {@code count} samples. */
    private void put(Batch samples, int before, int count) {
        batch.from(Float.BYTES * before * model.features()).asFloatBuffer().put(samples.features());
        int targets = model.task().targets();
        if (targets > 0) {
            batch.from((int) answersAt(count) + Float.BYTES * before * targets)
                    .asFloatBuffer()
                    .put(samples.targets());
            return;
        }
        var answers = batch.from((int) answersAt(count) + Long.BYTES * before).asLongBuffer();
        for (int label : samples.labels()) {
            answers.put(label);
        }
    }

    /** The offset of the answers after {@code count} samples, a multiple of 8. */
    private long answersAt(int count) {
        return ((long) Float.BYTES * count * model.features() + 7) / 8 * 8;
    }

    private long outputsAt(int count) {
        return answersAt(count) + 8L * count * Math.max(1, model.task().targets());
    }

    private static double number(List<String> words) {
        return Double.longBitsToDouble(Long.parseUnsignedLong(words.get(0), 16));
    }

    @Override
    public synchronized void close() {
        closed = true;
        gpuMemory().ifPresent(PythonLearner::log);
        model.unread().clear();
        if (process != null) {
            process.close();
        }
    }
}
