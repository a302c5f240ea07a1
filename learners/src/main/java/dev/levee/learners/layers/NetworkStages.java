package dev.levee.learners.layers;

import dev.levee.learners.Layout;
import dev.levee.learners.Model;
import dev.levee.learners.Task;
import dev.levee.learners.WrappedModel;
import dev.levee.learners.internal.djl.NetworkModel;

/**
 * A built-in network as a model that can be trained in stages.
 *
 * @param model the network's model
 * @param network its layers
 */
public record NetworkStages(Model model, LayeredNetwork network)
        implements LayeredModel, WrappedModel {
    /**
     * The layers of a model.
     *
     * @throws IllegalArgumentException if it is no network of layers; one sentence
     */
    public static NetworkStages of(Model model) {
        if (model instanceof NetworkModel made) {
            return new NetworkStages(model, LayeredNetwork.of(made.network()));
        }
        throw new IllegalArgumentException(
                "%s has no layers between which it could be cut; the networks %s have"
                        .formatted(
                                model.name(),
                                "mnist-cnn, lenet, " + String.join(", ", LayeredNetwork.names())));
    }

    @Override
    public int layers() {
        return network.size();
    }

    @Override
    public Stage stage(int first, int last) {
        return new SectionStage(
                network.section(network.after(first - 1), network.after(last)),
                ((NetworkModel) model).task());
    }

    private record SectionStage(Section section, Task task) implements Stage {
        @Override
        public Layout layout() {
            return section.layout();
        }

        @Override
        public float[] parameters(float[] parameters) {
            return section.parameters(parameters);
        }

        @Override
        public void insert(float[] own, float[] vector) {
            section.insert(own, vector);
        }

        @Override
        public StagePasses newPasses(boolean recompute) {
            return section.newPasses(task, recompute);
        }
    }
}
