package dev.levee.operators.rounds.transfer;

/**
 * Which updates a second server needs so that its model stays within a distance of the first one's
 * (MLfabric, arXiv 1907.00434). Computed from the norms of updates alone, never from models. With
 * learning rate η and momentum μ, an update g that only the primary has applied, a versions ago,
 * has moved it by at most ‖g‖·η·(1 + μ + … + μᵃ) = ‖g‖·η·(1 − μᵃ⁺¹)/(1 − μ), and by the triangle
 * inequality the sum of these bounds the distance. An update of the primary that would break the
 * bound is sent before anybody else sees its result, and with it all that is outstanding. O(1) time
 * and memory for each update. Single-threaded; knows no engine.
 *
 * <p>The replica continues along its momentum as if updates of zero had come: its momentum fades as
 * the primary's does. This needs a constant learning rate and a server step that is linear in the
 * updates (SGD, with or without momentum).
 */
public final class ReplicaBound {
    /** The part of an update that the replica must get. */
    public enum Due {
        /** The distance stays within the bound, so the replica gets nothing. */
        NOTHING,
        /** The update: the replica lacks no other. */
        UPDATE,
        /** All of the primary's current state, its model and its momentum. */
        STATE
    }

    private final double bound;
    private final double learningRate;
    private final double momentum;

    /** Σ ‖g‖ over the updates that the replica lacks. */
    private double norms;

    /** Σ ‖g‖·μᵃ⁺¹ over the same. */
    private double fading;

    private long behind;

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
     * The primary is about to apply an update. What is due must reach the replica before anybody
     * sees the primary's new model, and counts as applied there.
     *
     * @param norm an upper bound on its Euclidean norm; one that is not finite is always sent
     */
    public Due applying(double norm) {
        boolean alone = behind == 0;
        behind++;
        norms += norm;
        fading = momentum * (fading + norm);
        if (Double.isFinite(norms) && distance() <= bound) {
            return Due.NOTHING;
        }
        caughtUp();
        return alone ? Due.UPDATE : Due.STATE;
    }

    /** The replica has got everything that the primary has. */
    public void caughtUp() {
        norms = 0;
        fading = 0;
        behind = 0;
    }

    /** Upper bound on ‖primary − replica‖ once all that was due has been applied. */
    double distance() {
        return learningRate * (norms - fading) / (1 - momentum);
    }

    /** Updates that the replica lacks. */
    long behind() {
        return behind;
    }
}
