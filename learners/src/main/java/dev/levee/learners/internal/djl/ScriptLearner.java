package dev.levee.learners.internal.djl;

import ai.djl.engine.EngineException;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.JniUtils;

import dev.levee.connectors.data.Batch;
import dev.levee.connectors.data.Dataset;
import dev.levee.learners.Evaluation;
import dev.levee.learners.Gradient;
import dev.levee.learners.Layout;
import dev.levee.learners.Learner;
import dev.levee.learners.internal.Arguments;
import dev.levee.learners.internal.CrossEntropy;
import dev.levee.learners.internal.Evaluations;

/** Gradients of a {@link TorchScriptModel}. Methods exclude one another, as closing must wait. */
final class ScriptLearner implements Learner {
    /** Modules that draw random numbers share the engine's only generator: one at a time. */
    private static final Object GENERATOR = new Object();

    private final TorchScriptModel model;
    private final PtNDManager manager = Natives.newManager();
    private final ScriptModule module;
    private final boolean random;
    private final Scratch inputs = new Scratch(manager);
    private final Scratch outputs = new Scratch(manager);

    ScriptLearner(TorchScriptModel model) {
        this.model = model;
        try {
            TorchScriptFile file = TorchScriptFile.read(model.path());
            random = file.random();
            module = new ScriptModule(manager, file);
        } catch (EngineException e) {
            manager.close();
            throw new IllegalArgumentException(
                    "model " + model.name() + " cannot be loaded: " + firstLine(e), e);
        } catch (IllegalArgumentException e) {
            manager.close();
            throw e;
        }
    }

    /** Layout of a file whose module has been tried on one sample of zeros. */
    static Layout check(TorchScriptModel model) {
        try (ScriptLearner learner = new ScriptLearner(model);
                Autograd off = Autograd.off()) {
            Natives.oneThread();
            Shape shape = new Shape(model.batchShape(1));
            PtNDArray zero =
                    learner.inputs.tensor(learner.manager, new float[model.features()], shape);
            Shape output = learner.module.forward(zero, false).getShape();
            if (!output.equals(new Shape(1, model.classes()))) {
                throw new IllegalArgumentException(
                        "model "
                                + model.name()
                                + " turns one sample into "
                                + output
                                + " values instead of (1, "
                                + model.classes()
                                + ")");
            }
            return learner.module.layout();
        } catch (EngineException e) {
            throw new IllegalArgumentException(
                    "model "
                            + model.name()
                            + " does not take a batch of shape "
                            + new Shape(model.batchShape(1))
                            + ": "
                            + firstLine(e),
                    e);
        }
    }

    static float[] initialParameters(TorchScriptModel model) {
        try (ScriptLearner learner = new ScriptLearner(model)) {
            return learner.module.values();
        }
    }

    private static String firstLine(EngineException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("no reason given");
    }

    @Override
    public synchronized Gradient gradient(float[] flat, Batch batch, long seed) {
        check(flat, batch);
        return WorkingSet.within(() -> step(flat, batch, seed));
    }

    private Gradient step(float[] flat, Batch batch, long seed) {
        module.load(flat);
        int size = batch.size();
        try (Autograd recording = Autograd.recording();
                PtNDManager step = manager.newSubManager(manager.getDevice())) {
            PtNDArray logits = forward(step, batch, seed);
            CrossEntropy entropy = new CrossEntropy(floats(logits), size, model.classes());
            float[] slope = new float[size * model.classes()];
            double loss = entropy.losses(batch.labels(), slope);
            Autograd.backward(
                    logits, outputs.tensor(step, slope, new Shape(size, model.classes())));
            return new Gradient(module.collect(), loss / size);
        }
    }

    private PtNDArray forward(PtNDManager step, Batch batch, long seed) {
        Natives.oneThread();
        PtNDArray input =
                inputs.tensor(step, batch.features(), new Shape(model.batchShape(batch.size())));
        if (!random) {
            return module.forward(input, true);
        }
        synchronized (GENERATOR) {
            JniUtils.setSeed(seed);
            return module.forward(input, true);
        }
    }

    @Override
    public synchronized Evaluation evaluate(float[] flat, Dataset data) {
        return Evaluations.run(data, batch -> score(flat, batch));
    }

    private Evaluations.Score score(float[] flat, Batch batch) {
        check(flat, batch);
        module.load(flat);
        try (Autograd off = Autograd.off();
                PtNDManager step = manager.newSubManager(manager.getDevice())) {
            Natives.oneThread();
            Shape shape = new Shape(model.batchShape(batch.size()));
            PtNDArray logits = module.forward(inputs.tensor(step, batch.features(), shape), false);
            return new CrossEntropy(floats(logits), batch.size(), model.classes())
                    .score(batch.labels());
        }
    }

    private static float[] floats(PtNDArray array) {
        float[] values = new float[Math.toIntExact(array.size())];
        array.toByteBuffer(true).asFloatBuffer().get(values);
        return values;
    }

    private void check(float[] flat, Batch batch) {
        if (!manager.isOpen()) {
            throw new IllegalStateException("the learner is closed");
        }
        Arguments.check(flat, module.layout().size(), batch, model.features(), model.classes());
    }

    @Override
    public synchronized void close() {
        manager.close();
    }
}
