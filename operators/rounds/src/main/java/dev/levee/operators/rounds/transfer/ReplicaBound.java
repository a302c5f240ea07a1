package dev.levee.operators.rounds.transfer;

import java.util.ArrayList;
import java.util.List;

/**
 * Which updates a second server needs so that its model stays within a distance of the first one's
 * (MLfabric, arXiv 1907.00434). Computed from the norms of updates alone, never from models. With
 * learning rate η and momentum μ, an update g that only the primary has applied, a versions ago,
 * has moved it by at most ‖g‖·η·(1 + μ + … + μᵃ) = ‖g‖·η·(1 − μᵃ⁺¹)/(1 − μ), and by the triangle
 * inequality the sum of these bounds the distance. Before an update of the primary would break the
 * bound, all that is outstanding is sent, together: as one vector for the model and one for the
 * momentum, however many updates these are. Single-threaded; knows no engine.
 *
 * <p>An update that reaches the replica late has to be applied there as if it had come in time: the
 * replica adds η·(1 − μᵃ⁺¹)/(1 − μ)·g to its model and μᵃ·g to its momentum, which needs a constant
 * learning rate and a server step that is linear in the updates (SGD, with or without momentum).
 */
public final class ReplicaBound {
    /**
     * An update that the primary has applied and the replica has not.
     *
     * @param version that the primary had before it
     * @param norm an upper bound on its Euclidean norm
     */
    public record Outstanding(long version, double norm) {}

    /**
     * What a replica does with an update that comes some versions after the primary applied it.
     *
     * @param model factor with which it is subtracted from the model
     * @param momentum factor with which it is added to the momentum
     */
    public record Share(double model, double momentum) {}

    private final double bound;
    private final double learningRate;
    private final double momentum;
    private final List<Outstanding> outstanding = new ArrayList<>();
    private long version;

    /**
     * Primary and replica with the same model.
     *
     * @param bound largest distance, at least 0; 0 sends every update, infinity none
     * @param learningRate of the server's step, above 0
     * @param momentum of the server's step, from 0 to below 1
     */
    public ReplicaBound(double bound, double learningRate, double momentum) {
        if (!(bound >= 0)) {
            throw new IllegalArgumentException("a distance must be at least 0, got " + bound);
        }
        if (!(learningRate > 0) || !(momentum >= 0 && momentum < 1)) {
            throw new IllegalArgumentException(
                    "a replica needs a learning rate above 0 and a momentum from 0 to below 1, got "
                            + learningRate
                            + " and "
                            + momentum);
        }
        this.bound = bound;
        this.learningRate = learningRate;
        this.momentum = momentum;
    }

    /**
     * The primary is about to apply an update.
     *
     * @param norm an upper bound on its Euclidean norm; one that is not finite is always sent
     * @return versions whose updates the replica has to apply before the primary goes on, in order;
     *     among them perhaps the one that is about to be applied
     */
    public List<Long> applying(double norm) {
        List<Long> sent = new ArrayList<>();
        if (Double.isFinite(norm)) {
            outstanding.add(new Outstanding(version, norm));
        } else {
            sent.add(version);
        }
        version++;
        if (distance() > bound) {
            outstanding.removeIf(each -> each.version() < version - 1 && sent.add(each.version()));
        }
        if (distance() > bound) {
            outstanding.clear();
            sent.add(version - 1);
        }
        sent.sort(null);
        return sent;
    }

    /** Upper bound on ‖primary − replica‖ once all that was sent has been applied. */
    public double distance() {
        return outstanding.stream().mapToDouble(this::moved).sum();
    }

    private double moved(Outstanding update) {
        return update.norm() * share(version - 1 - update.version()).model();
    }

    /** How an update counts that the primary applied so many versions before its newest. */
    public Share share(long age) {
        return new Share(
                learningRate * (1 - Math.pow(momentum, age + 1)) / (1 - momentum),
                Math.pow(momentum, age));
    }

    /** What the replica lacks, oldest first. */
    public List<Outstanding> outstanding() {
        return List.copyOf(outstanding);
    }

    /** Updates that the primary has applied. */
    public long version() {
        return version;
    }
}
