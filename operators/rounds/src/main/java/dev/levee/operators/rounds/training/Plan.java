package dev.levee.operators.rounds.training;

import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.fault.WrongTrainingException;

import java.io.Serializable;

/**
 * Makes the settings of each round: its participants, their batch and step size, and the end of the
 * run. A plan is a value; its {@link Planner} does the work. Settings must be a function of the
 * training, the previous round's settings, and the planner's state and inputs, because rounds are
 * planned again after a failure.
 */
public interface Plan extends Serializable {
    /**
     * Most contributions of a device before a round closes. After its first, a device may pull and
     * contribute once more, but it pulls no version twice.
     */
    int MOST_PULLED = 2;

    /** The same participants and settings in every round. */
    Plan FIXED = new FixedPlan();

    /**
     * Settings of a round of which only the number is known: round 0, or the round of a published
     * model. A plan that needs more throws an exception for rounds after 0.
     */
    Settings at(Training training, long round);

    /**
     * Settings of a round of which the number and possibly the planner's state are known.
     *
     * @param state the state, {@link PlanState#NONE} if unknown
     */
    default Settings at(Training training, long round, PlanState state) {
        return at(training, round);
    }

    /**
     * True if settings depend on the planner's state, and the state depends only on its inputs. The
     * state is then published with each version.
     */
    default boolean remembers() {
        return false;
    }

    /**
     * Checks that a training is compatible with the plan; the training calls this.
     *
     * @throws WrongTrainingException if it is not; one sentence
     */
    default void check(Training training) {}

    /** Creates a planner that continues from a state, {@link PlanState#NONE} at first. */
    Planner planner(Training training, PlanState state);

    /**
     * The state of a planner after this round, if only its number is known and {@link #at} knows
     * its settings.
     */
    default PlanState stateAt(Training training, long round) {
        return PlanState.NONE;
    }

    /** Number of participants; their ids are 0 to this number − 1. */
    default int participants(Training training) {
        return training.workers();
    }

    /** Number of participants of a round; an estimate if it varies. */
    default int perRound(Training training) {
        return training.workers();
    }

    /**
     * Number of participants that take part in every round, which have the first ids. Attackers are
     * among them, unless rounds are {@link #foreseen}.
     */
    default int permanent(Training training) {
        return training.workers();
    }

    /**
     * True if rounds have a part of the participants, and these follow from the training alone. Any
     * participant may then be an attacker, and attackers know the cohort of each round.
     */
    default boolean foreseen() {
        return false;
    }

    /** True if the number of participants follows the parallelism of the job. */
    default boolean followsParallelism() {
        return false;
    }

    /** URI of the control file that the planner follows; null for none. */
    default String control() {
        return null;
    }

    /** The same plan with a control file, if it supports one. */
    default Plan controlledBy(String uri) {
        return this;
    }

    /** True if settings depend on the cost of gradients, so workers report it. */
    default boolean measuresEffort() {
        return false;
    }

    /** True if settings depend on distances between rows, so shards measure them. */
    default boolean measuresNoise() {
        return false;
    }

    /**
     * True if all samples have one order, each round takes the next samples of it, and each place
     * in the cohort gets a part of these. False if each participant draws from a share of its own.
     */
    default boolean oneOrder() {
        return false;
    }

    /** True if a participant that was not in the previous round starts with a fresh state. */
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
     * Most contributions of one participant to later rounds that a shard may have to hold, if there
     * are any.
     */
    default int mostAhead() {
        return MOST_PULLED;
    }

    /**
     * The server's step size when a round closes: that of its settings, unless it depends on the
     * versions that rows answer.
     *
     * @param settings the settings of the round
     * @param version the version that opened it
     * @param bases versions that its rows answer
     */
    default double stepSize(Settings settings, long version, long[] bases) {
        return settings.learningRate();
    }

    /** A description of the participants. */
    default String crowd(Training training) {
        return String.valueOf(participants(training));
    }
}
