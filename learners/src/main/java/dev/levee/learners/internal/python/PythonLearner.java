package dev.levee.learners.internal.python;

import dev.levee.connectors.data.Batch;
import dev.levee.connectors.data.Dataset;
import dev.levee.learners.Evaluation;
import dev.levee.learners.Gradient;
import dev.levee.learners.Learner;
import dev.levee.learners.internal.Arguments;
import dev.levee.learners.internal.Evaluations;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.FloatBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Gradients of a {@link PythonModel}, from an interpreter that stays warm. One that dies is started
 * again, and computes the same: nothing that a result depends on is kept there.
 */
final class PythonLearner implements Learner {
    private static final Logger LOG = LoggerFactory.getLogger(PythonLearner.class);

    /** How often the same is asked of an interpreter that dies of it. */
    private static final int ATTEMPTS = 3;

    private static final long FIRST_PAUSE_MILLIS = 200;

    private final PythonModel model;
    private final int size;
    private PythonProcess process;
    private FloatBuffer values;
    private FloatBuffer gradient;
    private MappedFile batch;

    /** Those that the process has; compared by identity. */
    private float[] loaded;

    private boolean closed;

    PythonLearner(PythonModel model) {
        this.model = model;
        size = model.layout().size();
    }

    @Override
    public synchronized Gradient gradient(float[] parameters, Batch samples, long seed) {
        check(parameters, samples);
        return persistently(
                () -> {
                    load(parameters, samples);
                    double loss = number(process.ask("gradient", seed, samples.size()));
                    float[] made = new float[size];
                    gradient.get(0, made);
                    return new Gradient(made, loss);
                });
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
                    double loss = number(process.ask("evaluate", count, told));
                    float[] outputs = new float[scored ? count * model.task().outputs() : 0];
                    batch.from(outputsAt(count)).asFloatBuffer().get(outputs);
                    return new Evaluations.Outputs(outputs, count * loss);
                });
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
                if (process == null || !process.alive()) {
                    start();
                }
                return work.get();
            } catch (PythonProcess.LostException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
                LOG.warn("{}; restarting the interpreter", e.getMessage());
                pause(FIRST_PAUSE_MILLIS << attempt);
            }
        }
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
        process = model.start(0);
        loaded = null;
        batch = null;
        long bytes = (long) Float.BYTES * size;
        values = shared("values", bytes).from(0).asFloatBuffer();
        gradient = shared("gradient", bytes).from(0).asFloatBuffer();
    }

    private MappedFile shared(String what, long bytes) {
        try (MappedFile memory = MappedFile.create(bytes)) {
            process.ask("map", what, memory.path(), bytes);
            return memory;
        }
    }

    /** Hands over what has changed; buffers have, after a step. */
    private void load(float[] parameters, Batch samples) {
        int from = parameters == loaded ? model.layout().trainable() : 0;
        values.put(from, parameters, from, size - from);
        loaded = parameters;
        int count = samples.size();
        long needed = (long) outputsAt(count) + (long) count * 4 * model.task().outputs();
        if (batch == null || batch.size() < needed) {
            batch = shared("batch", needed);
        }
        batch.from(0).asFloatBuffer().put(samples.features());
        if (model.task().targets() > 0) {
            batch.from(answersAt(count)).asFloatBuffer().put(samples.targets());
            return;
        }
        int at = answersAt(count);
        var answers = batch.from(at).asLongBuffer();
        for (int label : samples.labels()) {
            answers.put(label);
        }
    }

    /** Where answers begin: at a multiple of 8. */
    private int answersAt(int count) {
        return (Math.multiplyExact(Float.BYTES * count, model.features()) + 7) / 8 * 8;
    }

    private int outputsAt(int count) {
        return Math.addExact(answersAt(count), 8 * count * Math.max(1, model.task().targets()));
    }

    private static double number(List<String> words) {
        return Double.longBitsToDouble(Long.parseUnsignedLong(words.get(0), 16));
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (process != null) {
            process.close();
        }
    }
}
