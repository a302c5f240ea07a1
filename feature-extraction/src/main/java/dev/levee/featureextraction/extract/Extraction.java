package dev.levee.featureextraction.extract;

import dev.levee.learners.Cut;
import dev.levee.learners.LayeredNetwork;
import dev.levee.learners.Section;

import java.io.Serializable;

/**
 * What all requests of a tenant have in common.
 *
 * @param tenant whose they are
 * @param network the whole network
 * @param cut what lies before it is computed next to the store; at the start nothing is, and stored
 *     images cross as they are
 * @param parameters flat vector of what lies before the cut
 * @param scaling how pixels become the network's input
 * @param microBatch images that go through the layers together
 * @param mostImages images of the largest batch that is of use
 */
public record Extraction(
        String tenant,
        LayeredNetwork network,
        Cut cut,
        float[] parameters,
        Scaling scaling,
        int microBatch,
        int mostImages)
        implements Serializable {
    /** What is computed next to the store. */
    public Section prefix() {
        return network.section(network.start(), cut);
    }

    /** True if stored images cross as they are. */
    public boolean unsplit() {
        return cut.steps() == 0;
    }
}
