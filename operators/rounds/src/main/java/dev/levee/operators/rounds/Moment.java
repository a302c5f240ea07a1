package dev.levee.operators.rounds;

/**
 * The position of a version of a server's model in the run. If servers exchange models, an
 * iteration has several versions, and the participants of each round are either workers or servers.
 *
 * @param iteration from 0; users call it a round
 * @param stage the stage of the round that this version opens
 * @param step number of earlier rounds of this stage in the iteration
 */
public record Moment(long iteration, Stage stage, int step) {
    /** The messages that a round gathers. */
    public enum Stage {
        /**
         * Gradients of workers; the model is stepped when the round ends, unless aggregates are
         * contracted.
         */
        GRADIENTS,
        /** Aggregates of other servers, brought closer together before the step. */
        AGGREGATES,
        /** Models of other servers, after the step. */
        MODELS
    }

    /** True if the participants of the round are workers. */
    public boolean ofWorkers() {
        return stage == Stage.GRADIENTS;
    }
}
