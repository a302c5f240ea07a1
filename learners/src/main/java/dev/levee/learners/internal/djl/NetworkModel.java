package dev.levee.learners.internal.djl;

import dev.levee.learners.FlatVector;
import dev.levee.learners.Layout;
import dev.levee.learners.Learner;
import dev.levee.learners.Loss;
import dev.levee.learners.Model;
import dev.levee.learners.Score;
import dev.levee.learners.Task;
import dev.levee.learners.internal.network.Network;

import java.util.List;

/** A network that PyTorch trains. Only {@link #newLearner} loads PyTorch. */
public record NetworkModel(Network network, Task task) implements Model {
    public NetworkModel {
        if (task.loss() instanceof Loss.OfModule) {
            throw new IllegalArgumentException(
                    "the loss module is the method of a TorchScript file, file:PATH; %s has none"
                            .formatted(network.name()));
        }
    }

    /** A classifier. */
    public NetworkModel(Network network) {
        this(network, Task.classification(network.classes()));
    }

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
    public FlatVector initial(long seed) {
        return network.initial(seed);
    }

    @Override
    public void requireNatives() {
        PyTorch.require();
    }

    @Override
    public List<Score> scores() {
        return task.scores();
    }

    @Override
    public Learner newLearner() {
        return PyTorch.learner(this);
    }

    @Override
    public String toString() {
        return network.name();
    }
}
