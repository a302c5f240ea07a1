package dev.levee.learners.internal.djl;

import dev.levee.learners.Learner;
import dev.levee.learners.internal.network.Network;

/** The door to native code: loads PyTorch on first use, or says in one sentence why it cannot. */
public final class PyTorch {
    private static final String NEEDED =
            "PyTorch cannot be loaded: the class path needs ai.djl:api, ai.djl.pytorch:pytorch-engine,"
                    + " ai.djl.pytorch:pytorch-jni:2.7.1-0.35.1 and"
                    + " ai.djl.pytorch:pytorch-native-cpu:2.7.1:linux-x86_64";

    private PyTorch() {}

    /**
     * A learner for a network.
     *
     * @throws IllegalStateException if DJL or its natives are missing
     */
    public static Learner learner(Network network) {
        load();
        return new NetworkLearner(network);
    }

    /** Loads the natives unless they are loaded. Nothing is ever downloaded. */
    static void load() {
        try {
            if (!Natives.complete()) {
                throw new IllegalStateException(NEEDED);
            }
            Natives.load();
        } catch (LinkageError e) {
            throw new IllegalStateException(NEEDED, e);
        }
    }
}
