package dev.levee.learners.internal.djl.script;

import ai.djl.engine.EngineException;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;

import dev.levee.connectors.data.Batch;
import dev.levee.connectors.data.Dataset;
import dev.levee.learners.Evaluation;
import dev.levee.learners.Gradient;
import dev.levee.learners.Learner;
import dev.levee.learners.Loss;
import dev.levee.learners.internal.Arguments;
import dev.levee.learners.internal.Criterion;
import dev.levee.learners.internal.Evaluations;
import dev.levee.learners.internal.djl.Pass;
import dev.levee.learners.internal.djl.natives.Autograd;
import dev.levee.learners.internal.djl.natives.Natives;
import dev.levee.learners.internal.djl.natives.Scratch;
import dev.levee.learners.internal.djl.natives.WorkingSet;

import java.util.stream.IntStream;

/**
 * Computes gradients of a {@link TorchScriptModel}. The loss is computed in Java from the module's
 * outputs, or by the module's own method {@code loss(outputs, answers)}. Answers are int64 classes
 * of shape (n), or float32 targets of shape (n, k). The method returns the mean over the batch.
 * Methods exclude one another, so closing waits for a step in progress.
 */
final class ScriptLearner implements Learner {
    private static final String LOSS = "loss";

    private final TorchScriptModel model;

    /** Null if the module computes the loss. */
    private final Criterion criterion;

    private final PtNDManager manager = Natives.newManager();
    private final ScriptModule module;
    private final Scratch inputs = new Scratch(manager);
    private final Scratch outputs = new Scratch(manager);

    ScriptLearner(TorchScriptModel model) {
        this.model = model;
        boolean own = model.task().loss() instanceof Loss.OfModule;
        criterion = own ? null : Criterion.of(model.task());
        try {
            module = ScriptModule.read(manager, model.path());
            if (own && !module.has(LOSS)) {
                throw new IllegalArgumentException(
                        ("model %s has no method loss(self, outputs, targets): mark it "
                                        + "with @torch.jit.export, or name a loss")
                                .formatted(model.name()));
            }
        } catch (RuntimeException | Error e) {
            manager.close();
            throw e;
        }
    }

    /** Checks a file by running its module on one sample of zeros. */
    static TorchScriptModel.Checked check(TorchScriptModel model) {
        try (ScriptLearner learner = new ScriptLearner(model);
                Autograd off = Autograd.off()) {
            Natives.oneThread();
            Shape shape = new Shape(model.batchShape(1));
            PtNDArray zero =
                    learner.inputs.tensor(learner.manager, new float[model.features()], shape);
            PtNDArray made = learner.module.forward(zero, Pass.EVALUATION);
            int outputs = model.task().outputs();
            boolean fits = isOf(made.getShape(), outputs);
            if (learner.criterion == null) {
                learner.ownLoss(learner.manager, made, learner.oneAnswer(), Pass.EVALUATION);
            } else if (!fits) {
                throw new IllegalArgumentException(
                        "model %s maps one sample to %s values instead of (1, %s)"
                                .formatted(model.name(), made.getShape(), outputs));
            }
            return new TorchScriptModel.Checked(learner.module.layout(), fits);
        } catch (EngineException e) {
            throw new IllegalArgumentException(
                    "model %s does not take a batch of shape %s: %s"
                            .formatted(
                                    model.name(),
                                    new Shape(model.batchShape(1)),
                                    ScriptModule.firstLine(e)),
                    e);
        }
    }

    /** True if a shape is that of a batch's outputs. A single output may lack its dimension. */
    private static boolean isOf(Shape shape, int outputs) {
        return shape.equals(new Shape(1, outputs)) || outputs == 1 && shape.equals(new Shape(1));
    }

    /** A batch of one sample, with the first class or with targets of zero. */
    private Batch oneAnswer() {
        return new Batch(new float[0], new int[1], new float[model.task().targets()]);
    }

    static float[] initialParameters(TorchScriptModel model) {
        try (ScriptLearner learner = new ScriptLearner(model)) {
            return learner.module.values();
        }
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
            Pass pass = new Pass(true, seed);
            PtNDArray made = forward(step, batch, pass);
            if (criterion == null) {
                PtNDArray loss = ownLoss(step, made, batch, pass);
                double mean = Natives.floats(loss)[0];
                Autograd.backward(loss, outputs.tensor(step, new float[] {1}, loss.getShape()));
                return new Gradient(module.collect(), mean);
            }
            float[] slope = new float[Math.toIntExact(made.size())];
            double loss = criterion.losses(Natives.floats(made), batch, slope);
            Autograd.backward(made, outputs.tensor(step, slope, made.getShape()));
            return new Gradient(module.collect(), loss / size);
        }
    }

    /** The mean loss, computed by the module itself. */
    private PtNDArray ownLoss(PtNDManager step, PtNDArray made, Batch batch, Pass pass) {
        int targets = model.task().targets();
        PtNDArray answers =
                (PtNDArray)
                        (targets > 0
                                ? step.create(batch.targets(), new Shape(batch.size(), targets))
                                : step.create(
                                        IntStream.of(batch.labels()).asLongStream().toArray()));
        PtNDArray loss;
        try {
            loss = WorkingSet.within(() -> module.apply(LOSS, made, answers, pass));
        } catch (EngineException e) {
            throw new IllegalArgumentException(
                    "model %s: loss(outputs, targets) does not take outputs of %s and targets of %s: %s"
                            .formatted(
                                    model.name(),
                                    made.getShape(),
                                    answers.getShape(),
                                    ScriptModule.firstLine(e)),
                    e);
        }
        if (loss.size() != 1 || loss.getDataType() != DataType.FLOAT32) {
            throw new IllegalArgumentException(
                    ("model %s: loss(outputs, targets) returns values of shape %s and type %s "
                                    + "instead of one float32, the mean over the batch")
                            .formatted(model.name(), loss.getShape(), loss.getDataType()));
        }
        return loss;
    }

    private PtNDArray forward(PtNDManager step, Batch batch, Pass pass) {
        Natives.oneThread();
        PtNDArray input =
                inputs.tensor(step, batch.features(), new Shape(model.batchShape(batch.size())));
        return module.forward(input, pass);
    }

    @Override
    public synchronized Evaluation evaluate(float[] flat, Dataset data) {
        return model.scores().isEmpty()
                ? Evaluations.unscored(data, batch -> evaluated(flat, batch).loss())
                : Evaluations.run(data, model.task(), batch -> evaluated(flat, batch));
    }

    private Evaluations.Outputs evaluated(float[] flat, Batch batch) {
        check(flat, batch);
        module.load(flat);
        try (Autograd off = Autograd.off();
                PtNDManager step = manager.newSubManager(manager.getDevice())) {
            Natives.oneThread();
            Shape shape = new Shape(model.batchShape(batch.size()));
            PtNDArray made =
                    module.forward(inputs.tensor(step, batch.features(), shape), Pass.EVALUATION);
            float[] told = Natives.floats(made);
            return new Evaluations.Outputs(
                    told,
                    criterion == null
                            ? batch.size()
                                    * (double)
                                            Natives.floats(
                                                    ownLoss(step, made, batch, Pass.EVALUATION))[0]
                            : criterion.losses(told, batch));
        }
    }

    private void check(float[] flat, Batch batch) {
        if (!manager.isOpen()) {
            throw new IllegalStateException("the learner is closed");
        }
        Arguments.check(flat, module.layout().size(), batch, model.features(), model.task());
    }

    @Override
    public synchronized void close() {
        manager.close();
    }
}
