package dev.levee.gar;

/** Device for the coordinate work of an {@link Aggregator}. All devices give the same bits. */
public enum Device {
    /** The processor. */
    CPU,
    /** The first GPU of the CUDA driver; an error if none works. */
    GPU,
    /** A GPU if one works, otherwise the processor; the first use logs which. */
    AUTO
}
