package dev.levee.federated;

import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.schedule.LearningRate;

import java.io.Serializable;

/**
 * How a device trains.
 *
 * @param steps how many batches in a round
 * @param byCapability true if a device computes a share of these that is linear in its capability:
 *     the most capable all of them
 * @param optimizer the step
 * @param rate step size, by round
 * @param proximal μ of the term (μ/2)·‖w − x‖² that holds a device to the server's model (FedProx,
 *     Li et al. 2020), 0 for none
 * @param state what becomes of the optimizer's vectors when a round is over
 */
public record LocalTraining(
        LocalSteps steps,
        boolean byCapability,
        Optimizer optimizer,
        LearningRate rate,
        double proximal,
        LocalState state)
        implements Serializable {
    /**
     * Checks the proximal term.
     *
     * @throws IllegalArgumentException if it is negative; one sentence
     */
    public LocalTraining {
        if (!(proximal >= 0 && proximal < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "a proximal term must be a number of at least 0, got " + proximal);
        }
    }

    /** Vectors that travel behind the model. */
    int carried() {
        return state == LocalState.AVERAGE ? optimizer.carried() : 0;
    }

    /** The number of steps of each device. */
    int[] steps(Devices devices, int batchSize) {
        double most = 0;
        for (int device = 0; device < devices.count(); device++) {
            most = Math.max(most, devices.capability(device));
        }
        int[] counts = new int[devices.count()];
        for (int device = 0; device < counts.length; device++) {
            int all = steps.count(devices.census().samples(device), batchSize);
            counts[device] =
                    byCapability
                            ? Math.max(1, (int) Math.round(all * devices.capability(device) / most))
                            : all;
        }
        return counts;
    }
}
