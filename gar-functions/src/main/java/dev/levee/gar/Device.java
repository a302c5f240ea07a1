package dev.levee.gar;

/** Where the coordinate work of an {@link Aggregator} runs. All give the same bits. */
public enum Device {
    /** The processor. */
    CPU,
    /** The first GPU of the CUDA driver; an error if there is none or if it does not work. */
    GPU,
    /** A GPU if there is one that works, else the processor; the first use logs which. */
    AUTO
}
