package dev.levee.federated;

import static dev.levee.operators.rounds.WrongTrainingException.require;

import dev.levee.federated.devices.Devices;
import dev.levee.federated.steps.AdaAlter;
import dev.levee.federated.steps.LocalState;
import dev.levee.federated.steps.LocalSteps;
import dev.levee.learners.GenerativeModel;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.rounds.training.Training;

import java.io.Serializable;
import java.util.Locale;

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

    /** Plain steps of one size, after which nothing stays: FedAvg's. */
    public static LocalTraining sgd(LocalSteps steps, double rate) {
        return new LocalTraining(
                steps,
                false,
                Optimizer.of(OptimizerKind.SGD, 0),
                LearningRate.parse("constant", rate, 1),
                0,
                LocalState.RESET);
    }

    /** The same, but its optimizer's vectors become something else. */
    public LocalTraining with(LocalState other) {
        return new LocalTraining(steps, byCapability, optimizer, rate, proximal, other);
    }

    /**
     * Checks that what becomes of the optimizer's vectors suits an algorithm, and a run of it.
     *
     * @throws dev.levee.operators.rounds.WrongTrainingException if not; one sentence
     */
    void check(Federation federation, Training run) {
        if (run.model().ownLoop()) {
            checkOwnLoop(run.model().name());
        }
        boolean averaged = state == LocalState.AVERAGE;
        require(
                averaged || !(optimizer instanceof AdaAlter),
                "{localState} must be average for {localOptimizer} adaalter, whose rounds "
                        + "start with the same denominators on all devices, got %s",
                state.name().toLowerCase(Locale.ROOT));
        require(
                !averaged
                        || !(federation.timing() instanceof WithoutBarrier)
                                && federation.privacy().none(),
                "{localState} average is for rounds with a barrier in which devices send "
                        + "whole models, without {dpClip}");
        require(
                !averaged || !(run.model() instanceof GenerativeModel),
                "{localState} average is for classification models, not for {gan}");
        require(
                !averaged || optimizer.carried() > 0,
                "{localState} average needs a {localOptimizer} with state to average, such "
                        + "as adaalter, adam, or sgd with {localMomentum}");
    }

    /** The model's own loop decides what these would. */
    private void checkOwnLoop(String model) {
        require(
                optimizer.moments() == 0,
                "{localOptimizer} must be sgd without {localMomentum}, because {model} %s has its"
                        + " own train(), which has its own optimizer",
                model);
        require(
                proximal == 0,
                "{proximal} must be 0, because {model} %s has its own train(), which adds what it"
                        + " wants to its loss; got %s",
                model,
                proximal);
        require(
                state != LocalState.AVERAGE,
                "{localState} average is for Levee's own steps; {model} %s has its own train()",
                model);
    }

    /** Vectors that travel behind the model. */
    public int carried() {
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
