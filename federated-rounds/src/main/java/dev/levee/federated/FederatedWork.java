package dev.levee.federated;

import dev.levee.federated.privacy.Privacy;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.SharedValue;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.Work;

import java.util.Arrays;

/** The work of devices, with the properties that other parts need, such as duration and weight. */
public abstract class FederatedWork implements Work {
    private static final long serialVersionUID = 1L;

    private final SharedValue<int[]> steps;
    private final SharedValue<double[]> weights;
    private final double most;
    private final double meanSteps;
    private final int asked;

    /**
     * Creates the work of devices.
     *
     * @param steps number of batches of each device in a round
     * @param weights the devices' weights
     * @param asked number of devices of a round; their mean number if it varies
     */
    FederatedWork(int[] steps, double[] weights, int asked) {
        this.steps = SharedValue.of(steps.clone());
        this.weights = SharedValue.of(weights.clone());
        this.asked = asked;
        this.most = Arrays.stream(weights).max().orElse(1);
        double sum = 0;
        for (int device = 0; device < steps.length; device++) {
            sum += weights[device] * steps[device];
        }
        this.meanSteps = sum / Arrays.stream(weights).sum();
    }

    /** The privacy of devices. */
    abstract Privacy privacy();

    /** Number of the model's floats that a device receives and sends in a round. */
    abstract int floats(Training run, long round);

    /** Number of bytes that a device sends in a round. */
    long sentBytes(Training run, long round) {
        return (long) Float.BYTES * floats(run, round);
    }

    /** The weight of each device's contribution; a copy. */
    public final double[] weights() {
        return weights.get().clone();
    }

    /** Number of devices. */
    final int participants() {
        return weights.get().length;
    }

    /** Number of devices of a round; their mean number if it varies. */
    final int asked() {
        return asked;
    }

    final double weight(int device) {
        return weights.get()[device];
    }

    /** The weight of a device, divided by the largest weight. */
    final double relative(int device) {
        return weight(device) / most;
    }

    /**
     * A device's share of the total weight of a cohort.
     *
     * @param cohort the cohort, which contains the device
     */
    public final double share(int device, Cohort cohort) {
        return weight(device) / Arrays.stream(cohort.ids()).mapToDouble(this::weight).sum();
    }

    /**
     * True if the weight is exactly the device's; in a secure sum, devices apply their weights
     * themselves.
     */
    @Override
    public final boolean mayWeigh(int participant, double weight) {
        return weight == privacy().stated(weight(participant), relative(participant), asked);
    }

    /** Returns the largest number of steps of a device. */
    @Override
    public final int steps() {
        return Arrays.stream(steps.get()).max().orElseThrow();
    }

    /** The mean number of steps of all devices in a round, by weight. */
    final double meanSteps() {
        return meanSteps;
    }

    @Override
    public final int steps(int participant) {
        return steps.get()[participant];
    }
}
