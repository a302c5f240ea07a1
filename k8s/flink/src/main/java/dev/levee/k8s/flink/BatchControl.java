package dev.levee.k8s.flink;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.levee.k8s.allocator.Decision;

import java.time.Clock;

/**
 * The content of a job's control file: its batch and learning rate from the next round on.
 *
 * @param timestamp time of the decision, epoch milliseconds; the newest one applies
 * @param batchSize samples per worker and round
 * @param maxBatchSize largest local batch known to fit; 0 if unknown
 * @param workers number of workers for which the learning rate is meant
 * @param learningRate the learning rate at {@code workers × batchSize} samples per round
 */
public record BatchControl(
        long timestamp, int batchSize, int maxBatchSize, int workers, double learningRate) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * The control that carries out a decision.
     *
     * @param fits largest local batch known to fit; 0 if unknown
     * @param previous timestamp of the previous control; the new one is greater, whatever the clock
     *     says
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
