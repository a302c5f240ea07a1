package dev.levee.federated.personal;

import java.util.Arrays;

/**
 * Ditto (Li, Hu, Beirami, Smith, "Ditto: Fair and Robust Federated Learning Through
 * Personalization", ICML 2021, algorithm 1): in addition to training the server's model, a device
 * steps its own model v along the gradient of its loss plus (λ/2)·‖v − x‖², where x is the model at
 * the start of the round. As in the authors' code, it takes the same number of steps of the same
 * size on the same batches, and v starts as the initial model of the run.
 *
 * @param lambda λ, at least 0; with 0, devices train alone
 */
public record Ditto(double lambda) implements Personal {
    static final double LAMBDA = 0.1;

    private static final String OWN = "personal";

    /**
     * Checks the number.
     *
     * @throws IllegalArgumentException if it is negative; one sentence
     */
    public Ditto {
        if (!(lambda >= 0 && lambda < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("ditto needs a lambda of at least 0, got " + lambda);
        }
    }

    @Override
    public String name() {
        return "ditto(lambda=%s)".formatted(lambda);
    }

    @Override
    public PersonalRound round(DeviceRound device) {
        return (w, keeps) -> {
            float[] own = device.kept().get(OWN);
            float[] v =
                    device.descend(
                            own == null ? first(device) : own,
                            device.x(),
                            lambda,
                            device.steps(),
                            device.rate());
            keeps.put(OWN, v);
            return v;
        };
    }

    /** The server's model without the vectors that follow it. */
    private static float[] first(DeviceRound device) {
        float[] first = device.first();
        int length = device.model().layout().size();
        return first.length == length ? first : Arrays.copyOf(first, length);
    }
}
