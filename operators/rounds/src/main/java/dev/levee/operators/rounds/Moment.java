package dev.levee.operators.rounds;

/**
 * The position of a version of a server's model in the run. Where servers exchange models, an
 * iteration has more than one version: the rounds between them have workers or servers as
 * participants.
 *
 * @param iteration from 0, as users count rounds
 * @param stage the stage of the round that this version opens
 * @param step how many rounds of this stage the iteration has had before
 */
public record Moment(long iteration, Stage stage, int step) {
    /** The messages that a round gathers. */
    public enum Stage {
        /**
         * Gradients of workers; the model steps when the round ends, unless aggregates are
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
