package dev.levee.jobs.internal.config;

/** The use that workers make of the models of several servers. */
public enum ModelReading {
    /** One gradient of the models' combination. */
    AGGREGATE,
    /** A gradient for each. */
    PER_SERVER
}
