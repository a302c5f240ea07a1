package dev.levee.jobs.internal.config;

/** When workers send gradients. */
public enum Transferring {
    /** Workers announce their gradients, and a scheduler requests them in order. */
    ORDERED
}
