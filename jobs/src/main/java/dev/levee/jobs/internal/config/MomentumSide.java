package dev.levee.jobs.internal.config;

/** Who keeps the momentum. */
public enum MomentumSide {
    SERVER,
    WORKER
}
