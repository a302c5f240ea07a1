package dev.levee.federated.steps;

/** Treatment of the vectors of a device's optimizer at the end of a round. */
public enum LocalState {
    /** Each round starts with zeros. */
    RESET,
    /** The vectors stay on the device. */
    KEEP,
    /**
     * Each round starts with the mean of the devices' vectors after the previous round: they follow
     * the model and are averaged like buffers. The bias correction of Adam counts the steps of all
     * rounds; devices with different numbers of steps count their mean.
     */
    AVERAGE
}
