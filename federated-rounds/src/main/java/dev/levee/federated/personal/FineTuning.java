package dev.levee.federated.personal;

/**
 * Fine-tuning before evaluation: a device takes plain steps from the model that it received, on the
 * round's batches in turn, and scores the result, of which it keeps nothing.
 *
 * @param steps how many
 * @param rate their size, null for that of the device's steps
 */
public record FineTuning(int steps, Double rate) implements Personal {
    static final int STEPS = 10;

    /**
     * Checks the step size.
     *
     * @throws IllegalArgumentException if it is not above 0; one sentence
     */
    public FineTuning {
        Personal.requirePositive("finetune", "rate", rate);
    }

    @Override
    public String name() {
        return rate == null
                ? "finetune(steps=%d)".formatted(steps)
                : "finetune(steps=%d, rate=%s)".formatted(steps, rate);
    }

    @Override
    public PersonalRound round(DeviceRound device) {
        return (w, keeps) ->
                device.descend(
                        device.x(), device.x(), 0, steps, rate == null ? device.rate() : rate);
    }
}
