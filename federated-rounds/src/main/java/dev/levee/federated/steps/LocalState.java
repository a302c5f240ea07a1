package dev.levee.federated.steps;

/** Treatment of the vectors of a device's optimizer at the end of a round. */
public enum LocalState {
    /** Each round begins with zeros. */
    RESET,
    /** They stay with the device. */
    KEEP,
    /**
     * Each round begins with the mean of those that its devices came to in the round before: they
     * travel behind the model, and are averaged as its buffers are.
     */
    AVERAGE
}
