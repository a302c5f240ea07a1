package dev.levee.k8s.allocator;

/**
 * A class of slots of equal speed.
 *
 * @param speed speed at which a worker in such a slot computes gradients, relative to other
 *     classes; above 0
 * @param slots number of these slots
 * @param perNode number of slots per node; 0 if unknown
 */
public record SlotClass(double speed, int slots, int perNode) {
    /** Checks signs. */
    public SlotClass {
        if (!(speed > 0) || Double.isInfinite(speed)) {
            throw new IllegalArgumentException("the speed of slots must be above 0, got " + speed);
        }
        if (slots < 0) {
            throw new IllegalArgumentException("slots must not be negative, got " + slots);
        }
        if (perNode < 0) {
            throw new IllegalArgumentException(
                    "slots of a node must not be negative, got " + perNode);
        }
    }

    /** A class of slots on nodes of unknown size. */
    public SlotClass(double speed, int slots) {
        this(speed, slots, 0);
    }
}
