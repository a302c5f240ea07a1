package dev.levee.k8s.flink;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.levee.k8s.allocator.Decision;

import java.time.Clock;

/**
 * Batch and learning rate of a job from the next round on, as its control file has them.
 *
 * @param timestamp when they were decided, epoch milliseconds; the newest holds
 * @param batchSize samples per worker and round
 * @param maxBatchSize largest local batch known to fit; 0 if unknown
 * @param workers workers that the learning rate is meant for
 * @param learningRate at {@code workers × batchSize} samples per round
 */
public record BatchControl(
        long timestamp, int batchSize, int maxBatchSize, int workers, double learningRate) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * The control that carries out a decision.
     *
     * @param fits largest local batch known to fit; 0 if unknown
     * @param previous timestamp of the control before; this one is newer, whatever the clock says
     */
    public static BatchControl of(Decision decision, int fits, long previous, Clock clock) {
        return new BatchControl(
                Math.max(clock.millis(), previous + 1),
                decision.localBatch(),
                fits,
                decision.workers(),
                decision.learningRate());
    }

    /** The content of a control file. */
    public String json() {
        try {
            return JSON.writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
