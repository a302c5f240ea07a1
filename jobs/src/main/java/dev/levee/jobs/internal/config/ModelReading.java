package dev.levee.jobs.internal.config;

/** How a worker uses the models of several servers. */
public enum ModelReading {
    /** Computes one gradient at the combination of the models. */
    AGGREGATE,
    /** Computes a gradient at each model. */
    PER_SERVER
}
