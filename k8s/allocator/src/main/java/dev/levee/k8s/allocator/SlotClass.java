package dev.levee.k8s.allocator;

/**
 * Slots of equal speed.
 *
 * @param speed how fast a worker there computes gradients, relative to the other classes; above 0
 * @param slots how many there are
 * @param perNode slots of each of their nodes; 0 if unknown
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

    /** On nodes of unknown size. */
    public SlotClass(double speed, int slots) {
        this(speed, slots, 0);
    }
}
