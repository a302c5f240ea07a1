package dev.levee.k8s.allocator;

/**
 * Slots of equal speed.
 *
 * @param speed how fast a worker there computes gradients, relative to the other classes; above 0
 * @param slots how many there are
 */
public record SlotClass(double speed, int slots) {
    /** Checks signs. */
    public SlotClass {
        if (!(speed > 0) || Double.isInfinite(speed)) {
            throw new IllegalArgumentException("the speed of slots must be above 0, got " + speed);
        }
        if (slots < 0) {
            throw new IllegalArgumentException("slots must not be negative, got " + slots);
        }
    }
}
