package dev.levee.federated.personal;

/**
 * Fine-tuning before evaluation: a device takes plain steps from the received model, on the round's
 * batches in order, scores the result, and discards it.
 *
 * @param steps number of steps
 * @param rate step size, null for that of the device's training
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
