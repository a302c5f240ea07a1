package dev.levee.jobs.internal.config;

/** What workers do with the models of several servers. */
public enum ModelReading {
    /** One gradient at what the rule for models makes of them. */
    AGGREGATE,
    /** A gradient for each. */
    PER_SERVER
}
