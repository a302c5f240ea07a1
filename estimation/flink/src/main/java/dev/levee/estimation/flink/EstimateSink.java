package dev.levee.estimation.flink;

import dev.levee.estimation.Estimate;

import java.io.IOException;
import java.io.Serializable;

/**
 * Receives the estimate on the TaskManager. After a failure, it may receive the same estimate
 * again.
 */
@FunctionalInterface
public interface EstimateSink extends Serializable {
    /** Writes the estimate. */
    void write(Estimate estimate) throws IOException;
}
