package dev.levee.learners.internal.djl.script;

import dev.levee.learners.Layout;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.learners.ModelFactory;
import dev.levee.learners.Score;
import dev.levee.learners.Task;
import dev.levee.learners.internal.djl.PyTorch;

import java.util.List;
import java.util.stream.IntStream;

/**
 * A model in a user's TorchScript file. The file is read again wherever a learner is created, so
 * its path must be valid on every machine. Its tensors become segments: all parameters are trained,
 * whether the file freezes them or not, and float32 buffers are handled like those of built-in
 * networks. Other buffers stay inside the module. Unlike built-in models, this model needs PyTorch
 * for its layout and its initial parameters. The initial parameters come from the file and do not
 * depend on the seed.
 */
public final class TorchScriptModel implements Model {
    private static final long serialVersionUID = 1;

    /** Opens {@code file:PATH}. */
    public static final class Factory implements ModelFactory.OfTasks {
        @Override
        public String name() {
            return "file";
        }

        @Override
        public String form() {
            return "file:PATH";
        }

        @Override
        public Model create(String argument, int[] shape, Task task) {
            if (argument.isEmpty()) {
                throw new IllegalArgumentException(
                        "the model file: lacks the path of a TorchScript file: write file:PATH");
            }
            return new TorchScriptModel(argument, shape, task);
        }
    }

    private final String path;
    private final int[] shape;
    private final Task task;
    private final Layout layout;
    private final boolean scored;

    /**
     * Opens a file and tries its module on one sample.
     *
     * @param shape shape of one sample
     * @throws IllegalArgumentException if the file is not TorchScript, or does not turn samples of
     *     this shape into the task's outputs
     */
    public TorchScriptModel(String path, int[] shape, Task task) {
        this.path = path;
        this.shape = shape.clone();
        this.task = task;
        Checked checked = PyTorch.loaded(() -> ScriptLearner.check(this));
        layout = checked.layout();
        scored = checked.scored();
    }

    /**
     * The result of checking a file.
     *
     * @param scored true if the task's scores can be computed from the module's outputs; if the
     *     module has its own loss, its outputs may be different
     */
    public record Checked(Layout layout, boolean scored) {}

    @Override
    public String name() {
        return "file:" + path;
    }

    /** The path of the file, on any file system that Flink supports. */
    public String path() {
        return path;
    }

    /** Shape of a batch of {@code size} samples. */
    public long[] batchShape(int size) {
        return IntStream.concat(IntStream.of(size), IntStream.of(shape)).asLongStream().toArray();
    }

    /** Number of coordinates of one sample. */
    public int features() {
        return IntStream.of(shape).reduce(1, Math::multiplyExact);
    }

    /** The task that the model learns. */
    public Task task() {
        return task;
    }

    @Override
    public List<Score> scores() {
        return scored ? task.scores() : List.of();
    }

    @Override
    public Layout layout() {
        return layout;
    }

    @Override
    public float[] initialParameters(long seed) {
        return PyTorch.loaded(() -> ScriptLearner.initialParameters(this));
    }

    @Override
    public void requireNatives() {
        PyTorch.require();
    }

    @Override
    public Learner newLearner() {
        return PyTorch.loaded(() -> new ScriptLearner(this));
    }
}
