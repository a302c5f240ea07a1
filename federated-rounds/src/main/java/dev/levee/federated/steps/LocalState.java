package dev.levee.federated.steps;

/** Treatment of the vectors of a device's optimizer at the end of a round. */
public enum LocalState {
    /** Each round starts with zeros. */
    RESET,
    /** The vectors stay on the device. */
    KEEP,
    /**
     * Each round starts with the mean of the devices' vectors after the previous round: they follow
     * the model and are averaged like buffers.
     */
    AVERAGE
}
