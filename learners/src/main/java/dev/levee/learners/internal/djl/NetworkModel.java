package dev.levee.learners.internal.djl;

import dev.levee.learners.Layout;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.learners.internal.network.Network;

/** A network that PyTorch trains, which is loaded by {@link #newLearner} and by nothing else. */
public record NetworkModel(Network network) implements Model {
    private static final long serialVersionUID = 1;

    @Override
    public String name() {
        return network.name();
    }

    @Override
    public Layout layout() {
        return network.layout();
    }

    @Override
    public float[] initialParameters(long seed) {
        return network.initialParameters(seed);
    }

    @Override
    public void requireNatives() {
        PyTorch.require();
    }

    @Override
    public Learner newLearner() {
        return PyTorch.learner(network);
    }

    @Override
    public String toString() {
        return network.name();
    }
}
