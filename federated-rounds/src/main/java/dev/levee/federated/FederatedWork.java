package dev.levee.federated;

import dev.levee.federated.privacy.Privacy;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.Work;

import java.util.Arrays;

/**
 * What a device does in a round, as far as it has to be known of any: how long, how much it counts.
 */
public abstract class FederatedWork implements Work {
    private static final long serialVersionUID = 1L;

    private final int[] steps;
    private final double[] weights;
    private final double most;

    /**
     * The work of devices.
     *
     * @param steps batches that each device computes on in a round
     * @param weights how much what each sends counts
     */
    FederatedWork(int[] steps, double[] weights) {
        this.steps = steps.clone();
        this.weights = weights.clone();
        this.most = Arrays.stream(weights).max().orElse(1);
    }

    /** What is done so that little is said of one device. */
    abstract Privacy privacy();

    /** How many floats of the model a device receives and sends in a round. */
    abstract int floats(Training run, long round);

    /** How many bytes a device sends in a round. */
    long sentBytes(Training run, long round) {
        return (long) Float.BYTES * floats(run, round);
    }

    /** How much what each device sends counts; a copy. */
    public final double[] weights() {
        return weights.clone();
    }

    /** How many devices there are. */
    final int participants() {
        return weights.length;
    }

    final double weight(int device) {
        return weights[device];
    }

    /** How much a device counts, in parts of the one that counts most. */
    final double relative(int device) {
        return weights[device] / most;
    }

    /**
     * The part that a device has in the weights of a cohort.
     *
     * @param cohort of which it is a member
     */
    public final double share(int device, Cohort cohort) {
        return weights[device] / Arrays.stream(cohort.ids()).mapToDouble(this::weight).sum();
    }

    /** Exactly as much as it holds; in a secure sum each has weighed itself. */
    @Override
    public final boolean mayWeigh(int participant, double weight) {
        return weight == (privacy().secureSum() ? 1 : weights[participant]);
    }

    /** Most of a device. */
    @Override
    public final int steps() {
        return Arrays.stream(steps).max().orElseThrow();
    }

    @Override
    public final int steps(int participant) {
        return steps[participant];
    }
}
