package dev.levee.k8s.allocator.internal;

/**
 * What one job would make of workers on slots of some class or faster.
 *
 * @param least fewest workers
 * @param most most workers
 * @param value what so many workers are worth; concave in their number
 */
public record ClassDemand(int least, int most, Value value) {
    /** The value of workers. */
    @FunctionalInterface
    public interface Value {
        /**
         * What {@code n} workers are worth of which the slowest is in this class, 0 the fastest.
         */
        double of(int n, int slotClass);
    }
}
