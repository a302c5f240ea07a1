package dev.levee.operators.rounds;

import java.io.Serializable;

/**
 * An allocator's requests to an elastic run, apart from its workers, which follow the job's
 * parallelism.
 *
 * @param timestamp when it was decided, milliseconds since the epoch; the newest holds
 * @param batchSize samples per worker and round
 * @param workers workers that the learning rate was chosen for
 * @param learningRate step size, before its schedule, at {@code workers × batchSize} samples per
 *     round; in proportion at another number of them
 * @param fromRound first round that it may hold for
 */
public record Control(
        long timestamp, int batchSize, int workers, double learningRate, long fromRound)
        implements Serializable {
    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one makes no sense; one sentence
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
