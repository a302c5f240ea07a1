package dev.levee.connectors.kafka.job;

import java.io.Serializable;
import java.time.Duration;

/**
 * The worker that evaluates versions of a model, if the job cannot compute it.
 *
 * @param worker its number, −1 if none is asked; it may be none of those that compute gradients
 * @param patience how long a run that is over waits for what is told of its final model
 */
public record Evaluator(int worker, Duration patience) implements Serializable {
    /** No evaluator. */
    public static final Evaluator NONE = new Evaluator(-1, Duration.ZERO);

    /** True if an evaluator is asked. */
    public boolean asked() {
        return worker >= 0;
    }
}
