package dev.levee.jobs.internal.placement;

import dev.levee.featureextraction.split.PlacementGraph;
import dev.levee.featureextraction.split.TrainingTimes;
import dev.levee.learners.layers.LayeredNetwork;
import dev.levee.operators.placement.graph.OperatorGraph;

/**
 * A network whose training step is to be placed.
 *
 * @param network the network
 * @param times times for one image
 * @param batch images in a step
 * @param vectors number of values that the optimizer keeps for each trained parameter
 */
public record NetworkModel(LayeredNetwork network, TrainingTimes times, int batch, int vectors) {
    /** The training step as a graph. */
    public OperatorGraph graph() {
        return PlacementGraph.training(network, times, batch, vectors);
    }
}
