package dev.levee.estimation.flink;

import dev.levee.estimation.Estimate;

import java.io.IOException;
import java.io.Serializable;

/** Receives the estimate where the job runs. After a failure it may receive the same one again. */
@FunctionalInterface
public interface EstimateSink extends Serializable {
    /** Writes it down. */
    void write(Estimate estimate) throws IOException;
}
