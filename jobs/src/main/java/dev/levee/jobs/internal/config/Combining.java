package dev.levee.jobs.internal.config;

/** Where gradients are added up on their way to the server. */
public enum Combining {
    /** Those of the workers of one process before they leave it. */
    HOST
}
