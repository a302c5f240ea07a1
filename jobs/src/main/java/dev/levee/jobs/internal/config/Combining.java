package dev.levee.jobs.internal.config;

/** The place where gradients are added up on their way to the server. */
public enum Combining {
    /** Gradients of the workers of one process are added up before they leave it. */
    HOST
}
