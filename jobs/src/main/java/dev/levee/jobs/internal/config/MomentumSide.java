package dev.levee.jobs.internal.config;

/** The side that keeps the momentum: the worker or the server. */
public enum MomentumSide {
    SERVER,
    WORKER
}
