package dev.levee.jobs.internal.config;

/** The side that keeps the momentum. */
public enum MomentumSide {
    SERVER,
    WORKER
}
