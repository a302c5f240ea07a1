package dev.levee.federated;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.operators.rounds.training.Training;

/**
 * q-FedAvg (Li, Sanjabi, Beirami, Smith, "Fair Resource Allocation in Federated Learning", ICLR
 * 2020, algorithm 2): devices with a greater loss F count more. With L = 1/η, the server steps by
 * ΣΔ_k/Σh_k, where Δ_k = F^q·L·(x − w) and h_k = q·F^(q−1)·‖L·(x − w)‖² + L·F^q. That is the mean
 * of Δ_k/h_k with weights h_k, so a device sends Δ_k/h_k with that weight.
 *
 * @param q strength of this preference, at least 0; 0 is FedAvg
 */
public record FairAveraging(double q) implements Averaging {
    static final double Q = 1;

    /**
     * Checks the number.
     *
     * @throws IllegalArgumentException if it is below 0; one sentence
     */
    public FairAveraging {
        if (!(q >= 0 && q < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("fair needs a number q of at least 0, got " + q);
        }
    }

    @Override
    public String name() {
        return "fair(q=%s)".formatted(q);
    }

    @Override
    public void check(Federation federation, Training run) {
        Averaging.requireWholeDifferences(name(), federation);
        LocalTraining local = federation.local();
        require(
                local.optimizer().moments() == 0 && !local.optimizer().adaptive(),
                "{averaging} %s is for {localOptimizer} sgd without {localMomentum}, whose step size"
                        + " bounds how fast a loss can change",
                name());
        require(
                run.rule().takesWeights(),
                "{averaging} %s needs a {rule} that takes weights, such as average, got %s",
                name(),
                run.rule().name());
        require(
                federation.privacy().none(),
                "{averaging} %s weights devices by their loss, so it excludes {dpClip}",
                name());
    }

    @Override
    public Upload sent(LocalTraining local, int[] steps, double[] weights) {
        return new Upload.Fair(q);
    }
}
