package dev.levee.connectors.kafka.job;

import java.io.Serializable;
import java.time.Duration;

/**
 * The worker that evaluates versions of a model that the job cannot compute.
 *
 * @param worker its number, −1 if there is none; it need not be one of the workers that compute
 *     gradients
 * @param patience how long a finished run waits for the scores of its final model
 */
public record Evaluator(int worker, Duration patience) implements Serializable {
    /** No evaluator. */
    public static final Evaluator NONE = new Evaluator(-1, Duration.ZERO);

    /** True if there is an evaluator. */
    public boolean asked() {
        return worker >= 0;
    }
}
