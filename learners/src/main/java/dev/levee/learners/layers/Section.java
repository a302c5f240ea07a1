package dev.levee.learners.layers;

import dev.levee.learners.FlatVector;
import dev.levee.learners.Layout;
import dev.levee.learners.Model;
import dev.levee.learners.Segment;
import dev.levee.learners.Task;
import dev.levee.learners.internal.djl.NetworkModel;
import dev.levee.learners.internal.djl.PyTorch;
import dev.levee.learners.internal.network.Layer;
import dev.levee.learners.internal.network.Network;

import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Neighboring steps of a network. The output of a section without steps is its input. */
public final class Section implements Serializable {
    private static final long serialVersionUID = 1;

    private final Network whole;
    private final int from;
    private final int to;
    private final int[] input;

    Section(Network whole, int from, int to, int[] input) {
        if (from > to) {
            throw new IllegalArgumentException(
                    "a section from step " + from + " to step " + to + " runs backwards");
        }
        this.whole = whole;
        this.from = from;
        this.to = to;
        this.input = input.clone();
    }

    private List<Layer> steps() {
        return whole.layers().subList(from, to);
    }

    /** Shape of the section's input, for one sample. */
    public int[] input() {
        return input.clone();
    }

    /** Shape of the section's output, for one sample. */
    public int[] output() {
        return Network.outputOf(steps(), input);
    }

    /** The layout of the section's tensors in one flat vector. */
    public Layout layout() {
        return Network.layout(steps());
    }

    /**
     * Returns the section's part of the whole network's parameters.
     *
     * @param parameters flat vector of the whole network
     */
    public float[] parameters(float[] parameters) {
        Map<String, Segment> all = segments();
        Layout own = layout();
        float[] values = new float[own.size()];
        for (Segment segment : own.segments()) {
            int source = all.get(segment.name()).offset();
            System.arraycopy(parameters, source, values, segment.offset(), segment.length());
        }
        return values;
    }

    /** Returns the section's part of parameters that need not be in memory as a whole. */
    public float[] parameters(FlatVector parameters) {
        Map<String, Segment> all = segments();
        Layout own = layout();
        float[] values = new float[own.size()];
        for (Segment segment : own.segments()) {
            int source = all.get(segment.name()).offset();
            float[] read = parameters.range(source, segment.length());
            System.arraycopy(read, 0, values, segment.offset(), read.length);
        }
        return values;
    }

    /**
     * Copies the section's part into a vector of the whole network.
     *
     * @param own flat vector of the section, such as a gradient
     * @param vector flat vector of the whole network
     */
    public void insert(float[] own, float[] vector) {
        Map<String, Segment> all = segments();
        for (Segment segment : layout().segments()) {
            int target = all.get(segment.name()).offset();
            System.arraycopy(own, segment.offset(), vector, target, segment.length());
        }
    }

    private Map<String, Segment> segments() {
        Map<String, Segment> all = new HashMap<>();
        whole.layout().segments().forEach(segment -> all.put(segment.name(), segment));
        return all;
    }

    /**
     * Opens a forward pass through the section in evaluation mode.
     *
     * @param parameters flat vector of the section
     * @param microBatch number of samples that go through the layers together; a smaller last group
     *     is padded, so that the result of a sample depends neither on other samples nor on the
     *     batch size
     * @throws IllegalStateException if PyTorch cannot be loaded
     */
    public Forward newForward(float[] parameters, int microBatch) {
        return PyTorch.forward(List.copyOf(steps()), input, parameters, microBatch);
    }

    /**
     * Opens passes that train the section as a stage of a pipeline.
     *
     * @param task the task of the whole network
     * @param recompute true if forward passes keep only their inputs
     * @throws IllegalStateException if PyTorch cannot be loaded
     */
    public StagePasses newPasses(Task task, boolean recompute) {
        boolean last = to == whole.layers().size();
        return PyTorch.passes(
                List.copyOf(steps()), input, from == 0, last ? task : null, recompute);
    }

    /**
     * Opens passes that measure the section's steps in training.
     *
     * @param count samples of a micro-batch
     * @throws IllegalStateException if PyTorch cannot be loaded
     */
    public TrainingTimer newTimer(int count) {
        return PyTorch.timer(List.copyOf(steps()), input, count);
    }

    /**
     * The model of this section, to be trained on the section's inputs. The section must include
     * the network's last step.
     *
     * @throws IllegalArgumentException if it does not, or has no trainable parameters
     */
    public Model model() {
        if (to != whole.layers().size() || layout().trainable() == 0) {
            throw new IllegalArgumentException(
                    "only the last section of %s with trained layers makes a model"
                            .formatted(whole.name()));
        }
        return new NetworkModel(
                new Network(whole.name(), input, whole.classes(), List.copyOf(steps())));
    }
}
