package dev.levee.k8s.allocator;

/**
 * Speed of a job on slots of each class. Jobs differ: one may gain much from a faster type of
 * device, another little. No job is slower on a faster class.
 */
@FunctionalInterface
public interface SlotSpeeds {
    /** As the classes say. */
    SlotSpeeds NOMINAL = speed -> speed;

    /**
     * The job's speed, on a scale of its own.
     *
     * @param speed that of the slots' class ({@link SlotClass#speed()})
     */
    double of(double speed);
}
