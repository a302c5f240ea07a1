package dev.levee.operators.rounds;

import dev.levee.gar.Attack;
import dev.levee.learners.Gradient;

import java.util.Arrays;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * The workers of one subtask: each computes one gradient at a time, on the newest model it has not
 * answered. Computing happens elsewhere and comes back as one call, which updates the worker's
 * state and sends all blocks, so nothing can come between the two. Single-threaded; knows no
 * engine.
 */
public final class Workers {
    /**
     * One gradient to compute.
     *
     * @param consumed samples before its batch: those that the worker has drawn from its share or,
     *     in an elastic run, all that come before in the run's one order
     */
    public record Task(
            int worker,
            long round,
            Settings settings,
            float[] parameters,
            long consumed,
            long modelAt) {}

    /** Where the workers' output goes. */
    public interface Output {
        /** Starts a computation that will end in {@link Workers#computed}. */
        void compute(Task task);

        /** Sends one block of a gradient. */
        void send(GradientBlock block);
    }

    private final Training training;
    private final long run;
    private final Slices slices;
    private final ModelAssembler assembler;
    private final Output output;
    private final LongSupplier micros;
    private final TreeMap<Integer, WorkerState> states;
    private final TreeMap<Integer, Task> busy = new TreeMap<>();
    private ModelAssembler.Assembled newest;
    private long newestAt;

    /**
     * Workers that go on from their states.
     *
     * @param states by worker id, of the workers that live here
     */
    public Workers(
            Training training,
            long run,
            Slices slices,
            TreeMap<Integer, WorkerState> states,
            Output output,
            LongSupplier micros) {
        this.training = training;
        this.run = run;
        this.slices = slices;
        this.assembler = new ModelAssembler(slices);
        this.states = new TreeMap<>(states);
        this.output = output;
        this.micros = micros;
    }

    /** What has to be remembered now, by worker id. */
    public TreeMap<Integer, WorkerState> snapshot() {
        return new TreeMap<>(states);
    }

    /** Takes a block of a model. */
    public void model(ModelBlock block) {
        if (block.header().run() != run) {
            return;
        }
        ModelAssembler.Assembled assembled = assembler.add(block);
        if (assembled != null) {
            newest = assembled;
            newestAt = micros.getAsLong();
            states.keySet().forEach(this::start);
        }
    }

    private void start(int worker) {
        WorkerState state = states.get(worker);
        if (newest == null) {
            return;
        }
        Settings settings = newest.settings();
        if (worker >= settings.workers()) {
            if (training.elasticity() != null) {
                // Its momentum would be out of date when it is needed again.
                long passed = Math.max(state.answered(), newest.version());
                states.put(worker, new WorkerState(passed, state.consumed(), null));
            }
            return;
        }
        boolean idle =
                settings.stop() || state.answered() >= newest.version() || busy.containsKey(worker);
        if (idle) {
            return;
        }
        if (training.attacks(worker)) {
            if (training.attack().silent()) {
                return;
            }
            if (forges(worker)) {
                // The adversary needs no gradient from it, only to know that it would answer.
                states.put(worker, new WorkerState(newest.version(), state.consumed(), null));
                send(worker, newest.version(), new float[0], Double.NaN, newestAt);
                return;
            }
        }
        Task task =
                new Task(
                        worker,
                        newest.version(),
                        settings,
                        newest.parameters(),
                        training.elasticity() == null
                                ? state.consumed()
                                : settings.samples() + (long) worker * settings.batchSize(),
                        newestAt);
        busy.put(worker, task);
        output.compute(task);
    }

    private boolean forges(int worker) {
        return training.attacks(worker)
                && !training.attack().flipsLabels()
                && training.attack().sees() != Attack.Sees.OWN;
    }

    /** Takes the result of a computation. */
    public void computed(Task task, Gradient gradient) {
        if (!busy.remove(task.worker(), task)) {
            throw new IllegalStateException("nobody asked for " + task);
        }
        WorkerState state = states.get(task.worker());
        float[] sent = gradient.values();
        float[] momentum = null;
        if (training.momentumSide() == Training.MomentumSide.WORKER && training.momentum() != 0) {
            momentum = momentum(state.momentum(), sent);
            sent = momentum.clone();
            System.arraycopy(
                    gradient.values(),
                    slices.trainable(),
                    sent,
                    slices.trainable(),
                    sent.length - slices.trainable());
        }
        states.put(
                task.worker(),
                new WorkerState(
                        task.round(), state.consumed() + task.settings().batchSize(), momentum));
        send(task.worker(), task.round(), sent, gradient.loss(), task.modelAt());
        start(task.worker());
    }

    /** m ← μ·m + (1 − μ)·g, as Karimireddy et al. 2021, algorithm 2, have it. */
    private float[] momentum(float[] old, float[] gradient) {
        float mu = (float) training.momentum();
        if (old == null) {
            return gradient.clone();
        }
        float[] momentum = new float[gradient.length];
        for (int i = 0; i < slices.trainable(); i++) {
            momentum[i] = mu * old[i] + (1 - mu) * gradient[i];
        }
        return momentum;
    }

    private void send(int worker, long round, float[] values, double loss, long modelAt) {
        long computedAt = micros.getAsLong();
        for (int block = 0; block < slices.count(); block++) {
            int from = slices.offset(block);
            boolean whole = values.length == 0 || slices.count() == 1;
            float[] part =
                    whole ? values : Arrays.copyOfRange(values, from, from + slices.length(block));
            output.send(
                    new GradientBlock(
                            Header.gradient(run, round, worker, block),
                            loss,
                            modelAt,
                            computedAt,
                            part));
        }
    }
}
