package dev.levee.operators.rounds.training;

import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.WrongTrainingException;

import java.io.Serializable;

/**
 * Makes the settings of each round: its participants, their batch and step size, and the end of the
 * run. A plan is a value; its {@link Planner} does the work. Settings must follow from the
 * training, the settings of the round before, and the planner's state and inputs, because rounds
 * are planned again after a failure.
 */
public interface Plan extends Serializable {
    /**
     * A device that has delivered may have pulled and delivered again before the round closes; not
     * more, because it pulls no version twice.
     */
    int MOST_PULLED = 2;

    /** The same participants and settings in every round. */
    Plan FIXED = new FixedPlan();

    /**
     * Settings of a round of which only the number is known: of round 0, and of the version of a
     * published model. A plan whose settings need more throws an exception for all rounds after 0.
     */
    Settings at(Training training, long round);

    /**
     * The same with the state of a planner after this round, if it is known.
     *
     * @param state {@link PlanState#NONE} where it is not known after all
     */
    default Settings at(Training training, long round, PlanState state) {
        return at(training, round);
    }

    /**
     * True if settings follow from the planner's state, and that only from its inputs: the state is
     * then published with each version.
     */
    default boolean remembers() {
        return false;
    }

    /**
     * Checks that the rest of a training suits the plan; the training calls it.
     *
     * @throws WrongTrainingException if it does not; one sentence
     */
    default void check(Training training) {}

    /** A planner that continues from what one remembered, {@link PlanState#NONE} at first. */
    Planner planner(Training training, PlanState state);

    /**
     * The state of a planner after this round, if only its number is known and {@link #at} knows
     * its settings.
     */
    default PlanState stateAt(Training training, long round) {
        return PlanState.NONE;
    }

    /** Ids of participants are 0 to this − 1. */
    default int participants(Training training) {
        return training.workers();
    }

    /** Number of participants of a round; if it varies, about how many. */
    default int perRound(Training training) {
        return training.workers();
    }

    /**
     * Participants that take part in every round: the first ids. Attackers are among them, unless
     * rounds are {@link #foreseen}.
     */
    default int permanent(Training training) {
        return training.workers();
    }

    /**
     * True if the participants of a round follow from the training alone, although they are not
     * all: attackers are then among all participants, and know which are asked with them.
     */
    default boolean foreseen() {
        return false;
    }

    /** True if the number of participants follows the parallelism of the job. */
    default boolean followsParallelism() {
        return false;
    }

    /** URI of the file that tells the planner what others have decided; null for none. */
    default String control() {
        return null;
    }

    /** The same, told by a file if it can be told anything. */
    default Plan controlledBy(String uri) {
        return this;
    }

    /** True if settings depend on what gradients take, so that workers report it. */
    default boolean measuresEffort() {
        return false;
    }

    /**
     * True if settings depend on how far rows are from one another, so that shards look at that.
     */
    default boolean measuresNoise() {
        return false;
    }

    /**
     * True if each round takes the next stretch of one order of all samples, of which each place in
     * the cohort has a part; false if each participant draws from a share of its own.
     */
    default boolean oneOrder() {
        return false;
    }

    /** True if a participant that was not in the round before begins with a fresh state. */
    default boolean freshOnReturn() {
        return false;
    }

    /**
     * Number of rounds between the one that a model opens and the one whose row answers it; 0 if
     * all contributions count in the round of the model that they answer.
     */
    default long ahead() {
        return 0;
    }

    /**
     * Contributions of one participant to later rounds that a shard may have to hold, where there
     * are any.
     */
    default int mostAhead() {
        return MOST_PULLED;
    }

    /**
     * The server's step size in a round that closes: that of its settings, unless it depends on the
     * versions that its rows answer.
     *
     * @param settings the settings of the round
     * @param version that opened it
     * @param bases versions that its rows answer
     */
    default double stepSize(Settings settings, long version, long[] bases) {
        return settings.learningRate();
    }

    /** The participants, in words. */
    default String crowd(Training training) {
        return String.valueOf(participants(training));
    }
}
