package dev.levee.federated;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.federated.steps.LocalState;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.Position;
import dev.levee.operators.rounds.training.Training;

import java.util.Arrays;

/**
 * FedNova (Wang, Liu, Liang, Joshi, Poor, "Tackling the Objective Inconsistency Problem in
 * Heterogeneous Federated Optimization", NeurIPS 2020, equation 11): a device's difference is
 * divided by ‖a‖₁, the length of its steps along a constant gradient of 1, and multiplied by the
 * weighted mean of ‖a‖₁ over the round's devices. So a device with more steps does not count more.
 * ‖a‖₁ of plain steps is their number.
 */
public record NormalizedAveraging() implements Averaging {
    @Override
    public String name() {
        return "normalized";
    }

    @Override
    public void check(Federation federation, Training run) {
        Averaging.requireWholeDifferences(name(), federation);
        LocalTraining local = federation.local();
        Optimizer optimizer = local.optimizer();
        require(
                !optimizer.adaptive()
                        && (optimizer.moments() == 0 || local.state() == LocalState.RESET),
                "{averaging} normalized is for {localOptimizer} sgd, with {localMomentum} only if"
                        + " {localState} is reset");
        require(
                local.proximal() == 0,
                "{averaging} normalized needs {proximal} 0, because a proximal term shortens steps,"
                        + " got %s",
                local.proximal());
    }

    @Override
    public Upload sent(LocalTraining local, int[] steps, double[] weights) {
        double[] lengths = lengths(local.optimizer(), Arrays.stream(steps).max().orElseThrow());
        double[] own = Arrays.stream(steps).mapToDouble(count -> lengths[count]).toArray();
        return new Upload.Normalized(own, weights.clone());
    }

    /** ‖a‖₁ for each number of steps from 0 to {@code most}. */
    private static double[] lengths(Optimizer optimizer, int most) {
        double[] lengths = new double[most + 1];
        float[] gradient = {1};
        Position now = Position.zeros(1, optimizer.moments());
        for (int step = 0; step < most; step++) {
            Position next = Position.zeros(1, optimizer.moments());
            optimizer.step(now, gradient, 1, step, 1, next);
            lengths[step + 1] = -next.x()[0];
            now = next;
        }
        return lengths;
    }
}
