package dev.levee.jobs.internal.config;

/** Who samples are dealt to. */
public enum PartitionAmong {
    ALL,
    HONEST
}
