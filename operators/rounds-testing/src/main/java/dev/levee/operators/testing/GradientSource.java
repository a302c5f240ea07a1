package dev.levee.operators.testing;

import dev.levee.learners.Gradient;
import dev.levee.operators.rounds.scoring.Scoring;
import dev.levee.operators.rounds.training.Work;

/**
 * Computes the answers of workers. It must be a function of the task alone: the driver calls it
 * again for a task that a crash has undone, and expects the same bits.
 */
@FunctionalInterface
public interface GradientSource {
    /**
     * The gradient of one task, in an array of its own.
     *
     * @param task worker, round, settings, parameters (not to be changed) and samples consumed
     */
    Gradient gradient(Work.Task task);

    /**
     * The gradient of one of a task's local steps; by default, the gradient of the task.
     *
     * @param parameters the parameters at which it is computed, not to be changed
     * @param step number of the step in its round, from 0
     */
    default Gradient gradient(Work.Task task, float[] parameters, int step) {
        return gradient(task);
    }

    /**
     * The additional duration of a task, on top of the driver's random one, in virtual
     * microseconds.
     */
    default long micros(Work.Task task) {
        return 0;
    }

    /**
     * The score of a contribution, for rules that need scores. It must be a function of the task
     * alone, too.
     *
     * @throws UnsupportedOperationException if this source has no loss
     */
    default double score(Scoring.Task task) {
        throw new UnsupportedOperationException("this source scores nothing");
    }
}
