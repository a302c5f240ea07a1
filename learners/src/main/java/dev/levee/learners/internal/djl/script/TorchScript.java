package dev.levee.learners.internal.djl.script;

import dev.levee.learners.internal.djl.PyTorch;
import dev.levee.learners.layers.Forward;

/** Opens forward passes through TorchScript files; loads PyTorch if needed. */
public final class TorchScript {
    private TorchScript() {}

    /**
     * Opens a forward pass through a TorchScript file.
     *
     * @param input shape of one sample
     * @throws IllegalArgumentException if it is not a TorchScript file; one sentence
     */
    public static Forward forward(String path, int[] input) {
        return PyTorch.loaded(() -> new ScriptForward(path, input));
    }
}
