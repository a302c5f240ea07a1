package dev.levee.jobs.internal.config;

/** When workers send gradients. */
public enum Transferring {
    /** When a scheduler asks for what they have announced. */
    ORDERED
}
