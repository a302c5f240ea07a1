package dev.levee.jobs.internal.placement;

import dev.levee.featureextraction.split.ComputeTimes;
import dev.levee.learners.layers.LayeredNetwork;

import java.util.List;

/** Parses the times of layers that a user gives. */
public final class LayerTimes {
    private LayerTimes() {}

    /**
     * Returns the times of a network's steps, from milliseconds of its layers for one image.
     *
     * @param decode milliseconds to decode an image
     * @throws IllegalArgumentException if there is not one number for each layer, or one is
     *     negative; one sentence
     */
    public static ComputeTimes parse(LayeredNetwork network, double decode, List<Double> layers) {
        if (layers.size() != network.size()) {
            throw new IllegalArgumentException(
                    "--layer-times needs the %d layers of %s, got %d numbers"
                            .formatted(network.size(), network.name(), layers.size()));
        }
        double[] steps = new double[network.end().steps()];
        for (int layer = 0; layer < layers.size(); layer++) {
            // The whole time of a layer is assigned to its last step.
            steps[network.after(layer).steps() - 1] = layers.get(layer) / 1e3;
        }
        try {
            return new ComputeTimes(decode / 1e3, steps);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--layer-times: " + e.getMessage(), e);
        }
    }
}
