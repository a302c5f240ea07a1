package dev.levee.learners.internal.families;

import dev.levee.learners.Model;
import dev.levee.learners.ModelFactory;
import dev.levee.learners.Task;
import dev.levee.learners.internal.djl.NetworkModel;
import dev.levee.learners.layers.LayerList;

/**
 * Creates models named {@code layers:LIST}: networks of a user's own layers, which {@link
 * LayerList} reads.
 */
public final class OwnLayers implements ModelFactory.OfTasks {
    @Override
    public String name() {
        return "layers";
    }

    @Override
    public String form() {
        return "layers:LIST";
    }

    @Override
    public Model create(String argument, int[] shape, Task task) {
        return new NetworkModel(LayerList.parse(argument).network(shape, task.outputs()), task);
    }
}
