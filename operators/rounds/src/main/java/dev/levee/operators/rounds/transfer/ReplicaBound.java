package dev.levee.operators.rounds.transfer;

/**
 * Decides which updates a second server needs so that its model stays within a distance of the
 * first one's (MLfabric, arXiv 1907.00434). It uses only the norms of updates, never models. With
 * learning rate η and momentum μ, an update g that only the primary applied, a versions ago, has
 * moved the primary by at most ‖g‖·η·(1 + μ + … + μᵃ) = ‖g‖·η·(1 − μᵃ⁺¹)/(1 − μ). By the triangle
 * inequality, the sum of these terms bounds the distance. An update that would exceed the bound is
 * sent, with all outstanding ones, before its result is published. O(1) time and memory for each
 * update. Single-threaded; knows no engine.
 *
 * <p>The replica continues along its momentum as if it received updates of zero, so its momentum
 * decays like the primary's. This needs a constant learning rate and a server step that is linear
 * in the updates (SGD, with or without momentum).
 */
public final class ReplicaBound {
    /** The part of an update that the replica must get. */
    public enum Due {
        /** The distance stays within the bound, so the replica gets nothing. */
        NOTHING,
        /** Only this update, because the replica lacks no other. */
        UPDATE,
        /** The primary's whole state: its model and its momentum. */
        STATE
    }

    private final double bound;
    private final double learningRate;
    private final double momentum;

    /** Σ ‖g‖ over the updates that the replica lacks. */
    private double norms;

    /** Σ ‖g‖·μᵃ⁺¹ over the same updates. */
    private double fading;

    private long behind;

    /**
     * Creates a bound for a primary and a replica with the same model.
     *
     * @param bound largest distance, at least 0; 0 sends every update, infinity none
     * @param learningRate learning rate of the server's step, above 0
     * @param momentum momentum of the server's step, from 0 to below 1
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
     * Decides about an update that the primary is about to apply. The result must reach the replica
     * before the primary's new model is published, and counts as applied there.
     *
     * @param norm an upper bound on the update's Euclidean norm; if it is not finite, the update is
     *     always sent
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

    /** Records that the replica has the primary's whole state. */
    public void caughtUp() {
        norms = 0;
        fading = 0;
        behind = 0;
    }

    /** Upper bound on ‖primary − replica‖ once all due updates are applied. */
    double distance() {
        return learningRate * (norms - fading) / (1 - momentum);
    }

    /** Number of updates that the replica lacks. */
    long behind() {
        return behind;
    }
}
