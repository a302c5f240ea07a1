package dev.levee.learners.layers;

import dev.levee.connectors.data.Dataset;
import dev.levee.learners.Evaluation;
import dev.levee.learners.FlatVector;
import dev.levee.learners.Layout;
import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.learners.Task;
import dev.levee.learners.WrappedModel;
import dev.levee.learners.internal.djl.NetworkModel;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A built-in network as a model that can be trained in stages.
 *
 * @param model the network's model
 * @param network the network's layers
 */
public record NetworkStages(Model model, LayeredNetwork network)
        implements LayeredModel, WrappedModel {
    /** Networks that can be trained but that {@link LayeredNetwork#open} cannot open. */
    private static final List<String> OTHERS = List.of("mnist-cnn", "lenet");

    /**
     * The layers of a model.
     *
     * @throws IllegalArgumentException if it is not a network of layers; one sentence
     */
    public static NetworkStages of(Model model) {
        return find(model)
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "%s has no layers between which it could be cut; the networks %s have"
                                                .formatted(
                                                        model.name(), String.join(", ", names()))));
    }

    /** Names of all built-in networks. */
    public static List<String> names() {
        return Stream.concat(OTHERS.stream(), LayeredNetwork.names().stream()).toList();
    }

    /**
     * The layers of a network by name: one of {@link #names()}, or {@link LayerList#name()} of a
     * user's own layers.
     *
     * @param shape shape of one sample
     * @param classes number of classes, at least 2
     * @throws IllegalArgumentException if the name is unknown or the network does not take samples
     *     of this shape; one sentence
     */
    public static LayeredNetwork open(String name, int[] shape, int classes) {
        return OTHERS.contains(name)
                ? of(Models.open(name, shape, classes)).network()
                : LayeredNetwork.open(name, shape, classes);
    }

    /** The layers of a model; empty if it is not a network of layers. */
    public static Optional<NetworkStages> find(Model model) {
        return model instanceof NetworkModel made
                ? Optional.of(new NetworkStages(model, LayeredNetwork.of(made.network())))
                : Optional.empty();
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

    @Override
    public Evaluation evaluate(List<Integer> lastLayers, FlatVector parameters, Dataset data) {
        return new StagedEvaluation((NetworkModel) model, sections(lastLayers), parameters)
                .of(data);
    }

    @Override
    public long evaluationBytes(List<Integer> lastLayers) {
        return StagedEvaluation.heapBytes((NetworkModel) model, sections(lastLayers));
    }

    private List<Section> sections(List<Integer> lastLayers) {
        List<Section> sections = new ArrayList<>();
        int first = 0;
        for (int last : lastLayers) {
            sections.add(network.section(network.after(first - 1), network.after(last)));
            first = last + 1;
        }
        return sections;
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
