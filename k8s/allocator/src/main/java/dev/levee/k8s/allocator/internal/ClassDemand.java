package dev.levee.k8s.allocator.internal;

/**
 * The value of workers to one job, on slots of a class or faster ones.
 *
 * @param least fewest workers
 * @param most most workers
 * @param value the value of a number of workers; concave
 */
public record ClassDemand(int least, int most, Value value) {
    /** The value of workers. */
    @FunctionalInterface
    public interface Value {
        /**
         * The value of {@code n} workers, the slowest of which is in {@code slotClass}; 0 is the
         * fastest.
         */
        double of(int n, int slotClass);
    }
}
