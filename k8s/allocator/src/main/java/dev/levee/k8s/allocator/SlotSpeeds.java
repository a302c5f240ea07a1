package dev.levee.k8s.allocator;

/**
 * Maps each class of slots to the speed of a job there. A faster type of device may speed up one
 * job much and another little. No job is slower on a faster class.
 */
@FunctionalInterface
public interface SlotSpeeds {
    /** The speeds of the classes themselves. */
    SlotSpeeds NOMINAL = speed -> speed;

    /**
     * The job's speed, on the job's own scale.
     *
     * @param speed the speed of the slots' class ({@link SlotClass#speed()})
     */
    double of(double speed);
}
