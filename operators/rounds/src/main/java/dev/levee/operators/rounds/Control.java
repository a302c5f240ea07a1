package dev.levee.operators.rounds;

import java.io.Serializable;

/**
 * An allocator's request to an elastic run. It does not contain the number of workers, which
 * follows from the job's parallelism.
 *
 * @param timestamp when it was decided, milliseconds since the epoch; the newest request applies
 * @param batchSize samples per worker and round
 * @param workers workers that the learning rate was chosen for
 * @param learningRate step size, before its schedule, at {@code workers × batchSize} samples per
 *     round; proportional to the number of samples otherwise
 * @param fromRound first round that it may apply to
 */
public record Control(
        long timestamp, int batchSize, int workers, double learningRate, long fromRound)
        implements Serializable {
    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one is invalid; one sentence
     */
    public Control {
        if (timestamp <= 0) {
            throw new IllegalArgumentException(
                    "timestamp must be milliseconds since the epoch, got " + timestamp);
        }
        if (batchSize < 1) {
            throw new IllegalArgumentException("batchSize must be at least 1, got " + batchSize);
        }
        if (workers < 1) {
            throw new IllegalArgumentException("workers must be at least 1, got " + workers);
        }
        if (!(learningRate > 0) || Double.isInfinite(learningRate)) {
            throw new IllegalArgumentException(
                    "learningRate must be a positive number, got " + learningRate);
        }
    }
}
