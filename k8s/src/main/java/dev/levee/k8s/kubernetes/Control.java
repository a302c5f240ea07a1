package dev.levee.k8s.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.levee.k8s.Decision;

/**
 * A batch decision, as the job reads it.
 *
 * @param timestamp when it was made, ms since 1970; the newest holds
 * @param batchSize samples per worker and round
 * @param maxBatchSize largest batch known to fit; 0 if unknown
 * @param workers workers that the learning rate is meant for
 * @param learningRate at {@code workers × batchSize} samples per round
 */
record Control(long timestamp, int batchSize, int maxBatchSize, int workers, double learningRate) {
    private static final ObjectMapper JSON = new ObjectMapper();

    static Control of(Decision decision, int maxBatchSize, long timestamp) {
        return new Control(
                timestamp,
                decision.localBatch(),
                maxBatchSize,
                decision.workers(),
                decision.learningRate());
    }

    /** True if it says the same, whenever it was made. */
    boolean agrees(Control other) {
        return equals(
                new Control(
                        timestamp,
                        other.batchSize,
                        other.maxBatchSize,
                        other.workers,
                        other.learningRate));
    }

    String toJson() {
        try {
            return JSON.writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Null if it is no such decision, for instance after a person's edit. */
    static Control parse(String json) {
        try {
            return json == null ? null : JSON.readValue(json, Control.class);
        } catch (JsonProcessingException e) {
            return null;
        }
    }
}
