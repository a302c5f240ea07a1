package dev.levee.operators.rounds.training;

import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.WrongTrainingException;

import java.io.Serializable;

/**
 * Makes the settings of each round: who takes part, with what batch and step size, and when the run
 * ends. A value that says how; the {@link Planner} that it starts does it. Settings must follow
 * from the training, the settings of the round before, and what the planner was told and remembers,
 * for after a failure rounds are planned again.
 */
public interface Plan extends Serializable {
    /**
     * A device that has delivered may have pulled and delivered again before the round closes; not
     * more, for it pulls no version twice.
     */
    int MOST_PULLED = 2;

    /** The same participants and settings in every round. */
    Plan FIXED = new FixedPlan();

    /**
     * Settings of a round of which nothing but the number is known: of round 0, and of the version
     * of a published model. A plan whose settings follow from more says so by an exception for all
     * but round 0.
     */
    Settings at(Training training, long round);

    /**
     * The same where it is also known what a planner remembered whose newest round this is.
     *
     * @param state {@link PlanState#NONE} where it is not known after all
     */
    default Settings at(Training training, long round, PlanState state) {
        return at(training, round);
    }

    /**
     * True if settings follow from what a planner remembers, and that from nothing but what it was
     * told: it then goes with each version that is published.
     */
    default boolean remembers() {
        return false;
    }

    /**
     * Checks what the plan needs of the rest of a training; the training calls it.
     *
     * @throws WrongTrainingException if that is not so; one sentence
     */
    default void check(Training training) {}

    /** A planner that goes on from what one remembered, {@link PlanState#NONE} at first. */
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
     * True if whom a round asks follows from the training alone, although it is not everybody:
     * attackers are then among all participants, and know who is asked with them.
     */
    default boolean foreseen() {
        return false;
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
     * The server's step size in a round that closes: that of its settings, unless it depends on
     * what its rows answer.
     *
     * @param settings of the round
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
