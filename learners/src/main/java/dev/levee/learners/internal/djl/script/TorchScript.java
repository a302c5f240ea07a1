package dev.levee.learners.internal.djl.script;

import dev.levee.learners.Layout;
import dev.levee.learners.Learner;
import dev.levee.learners.internal.djl.PyTorch;
import dev.levee.learners.layers.Forward;

/** Opens TorchScript files once PyTorch is loaded. */
public final class TorchScript {
    private TorchScript() {}

    /** A learner for two TorchScript files. */
    public static Learner learner(ScriptedPair pair) {
        return PyTorch.loaded(() -> ScriptPasses.learner(pair));
    }

    /**
     * The tensors in two TorchScript files, once they have been tried.
     *
     * @throws IllegalArgumentException if they are no generator and discriminator of such images
     */
    public static Layout layout(ScriptedPair pair) {
        return PyTorch.loaded(() -> ScriptPasses.check(pair));
    }

    /** The values in two TorchScript files. */
    public static float[] initialParameters(ScriptedPair pair) {
        return PyTorch.loaded(() -> ScriptPasses.initialParameters(pair));
    }

    /** Images of a generator with values of its own. */
    public static float[] generate(ScriptedPair pair, float[] own, int count, long seed) {
        return PyTorch.loaded(() -> ScriptPasses.generate(pair, own, count, seed));
    }

    /** A learner for a TorchScript file. */
    public static Learner learner(TorchScriptModel model) {
        return PyTorch.loaded(() -> new ScriptLearner(model));
    }

    /**
     * The tensors in a TorchScript file, and what it makes of a sample.
     *
     * @throws IllegalArgumentException if it does not take the model's samples
     */
    public static TorchScriptModel.Checked check(TorchScriptModel model) {
        return PyTorch.loaded(() -> ScriptLearner.check(model));
    }

    /** The values in a TorchScript file. */
    public static float[] initialParameters(TorchScriptModel model) {
        return PyTorch.loaded(() -> ScriptLearner.initialParameters(model));
    }

    /**
     * Opens a forward pass through a TorchScript file.
     *
     * @param input shape of one sample
     * @throws IllegalArgumentException if it is none; one sentence
     */
    public static Forward forward(String path, int[] input) {
        return PyTorch.loaded(() -> new ScriptForward(path, input));
    }
}
