package dev.levee.operators.rounds;

/**
 * Where in a run a version of a server's model stands. Where servers exchange models, an iteration
 * has more than one version: the rounds between them have workers or servers as participants.
 *
 * @param iteration from 0, as users count rounds
 * @param stage what the round that this version opens is about
 * @param step how many rounds of this stage the iteration has had before
 */
public record Moment(long iteration, Stage stage, int step) {
    /** What is gathered in a round. */
    public enum Stage {
        /** What workers send; the model steps when it ends, unless aggregates are contracted. */
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
