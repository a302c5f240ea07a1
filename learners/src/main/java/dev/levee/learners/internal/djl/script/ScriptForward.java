package dev.levee.learners.internal.djl.script;

import ai.djl.engine.EngineException;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;

import dev.levee.learners.internal.djl.Pass;
import dev.levee.learners.internal.djl.natives.Autograd;
import dev.levee.learners.internal.djl.natives.Natives;
import dev.levee.learners.internal.djl.natives.WorkingSet;
import dev.levee.learners.layers.Forward;

import java.util.Arrays;

/**
 * Passes samples through a TorchScript module, always the same number at a time, so that equal
 * samples give equal bits.
 */
final class ScriptForward implements Forward {
    private static final int MICRO_BATCH = 64;

    private final String path;
    private final int length;
    private final Shape shape;
    private final PtNDManager manager;
    private final ScriptModule module;
    private final double[] seconds = new double[1];

    /**
     * Loads a module.
     *
     * @param input shape of one sample
     * @throws IllegalArgumentException if the file is not a TorchScript file; one sentence
     */
    ScriptForward(String path, int[] input) {
        this.path = path;
        length = Arrays.stream(input).reduce(1, Math::multiplyExact);
        long[] batch = new long[input.length + 1];
        Arrays.setAll(batch, i -> i == 0 ? MICRO_BATCH : input[i - 1]);
        shape = new Shape(batch);
        manager = Natives.newManager();
        try {
            module = ScriptModule.read(manager, path);
        } catch (RuntimeException | Error e) {
            manager.close();
            throw e;
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if the module does not turn samples into vectors; one
     *     sentence
     */
    @Override
    public synchronized float[] outputs(float[] samples, int count) {
        float[][] parts = new float[(count + MICRO_BATCH - 1) / MICRO_BATCH][];
        seconds[0] = 0;
        for (int i = 0; i < parts.length; i++) {
            int from = i * MICRO_BATCH;
            parts[i] = tried(samples, from, count);
        }
        int width = parts[0].length / MICRO_BATCH;
        float[] results = new float[Math.multiplyExact(count, width)];
        for (int i = 0; i < parts.length; i++) {
            int from = i * MICRO_BATCH;
            int taken = Math.min(MICRO_BATCH, count - from);
            System.arraycopy(parts[i], 0, results, from * width, taken * width);
        }
        return results;
    }

    private float[] tried(float[] samples, int from, int count) {
        try {
            return WorkingSet.within(() -> pass(samples, from, count));
        } catch (EngineException e) {
            throw new IllegalArgumentException(
                    "file:%s does not take samples of shape %s: %s"
                            .formatted(path, shape, ScriptModule.firstLine(e)),
                    e);
        }
    }

    private float[] pass(float[] samples, int from, int count) {
        float[] padded = new float[MICRO_BATCH * length];
        int taken = Math.min(MICRO_BATCH, count - from);
        System.arraycopy(samples, from * length, padded, 0, taken * length);
        Natives.oneThread();
        long start = System.nanoTime();
        try (Autograd off = Autograd.off();
                PtNDManager step = manager.newSubManager(manager.getDevice())) {
            PtNDArray input = (PtNDArray) step.create(padded, shape);
            PtNDArray output = module.forward(input, Pass.EVALUATION);
            output.attach(step);
            Shape made = output.getShape();
            if (made.dimension() != 2 || made.get(0) != MICRO_BATCH) {
                throw new IllegalArgumentException(
                        ("file:%s maps samples of shape %s to values of shape %s instead of "
                                        + "one vector each")
                                .formatted(path, shape, made));
            }
            float[] values = Natives.floats(output);
            seconds[0] += (System.nanoTime() - start) / 1e9;
            return values;
        }
    }

    @Override
    public synchronized double[] seconds() {
        return seconds.clone();
    }

    @Override
    public synchronized void close() {
        manager.close();
    }
}
