package dev.levee.operators.rounds.training;

import dev.levee.gar.Looked;
import dev.levee.operators.rounds.Control;
import dev.levee.operators.rounds.GradientCost;
import dev.levee.operators.rounds.Settings;

/** Plans the rounds of one run, one after the other. Single-threaded. */
public interface Planner {
    /**
     * Settings of the round after {@code before}.
     *
     * @param round number of the round they are for
     */
    Settings next(Settings before, long round);

    /** The state to checkpoint now. */
    default PlanState snapshot() {
        return PlanState.NONE;
    }

    /** The parallelism of the job from now on. */
    default void runsOn(int subtasks) {}

    /**
     * Takes a control, which holds from the next round on that it allows.
     *
     * @return false if it is not newer than the one in force, or this planner takes none
     */
    default boolean control(Control control) {
        return false;
    }

    /** A gradient of the open round has been computed, and took that. */
    default void computed(GradientCost effort, Settings open) {}

    /**
     * Hears how far the rows of a block were from one another, once for each block of a round and
     * before any later round is decided.
     */
    default void spread(int block, Looked seen) {}

    /**
     * Workers have been proven faulty in a round of workers, by more than their absence; called as
     * it closes, before {@link #next}.
     */
    default void proven(long round, int[] workers) {}

    /** Called when all blocks have applied a round of workers, with the measures of its rows. */
    default void applied(RoundReport report) {}

    /** The current reasons for settings, for an allocator. */
    default Standing standing(Settings open) {
        return Standing.PLAIN;
    }

    /**
     * The reasons for settings.
     *
     * @param learningRateScale how many times the schedule's step size the round's step size is
     * @param failedBatch smallest local batch that took too much memory, 0 for none
     * @param workerMemory bytes that one gradient may take, 0 for no limit
     * @param controlTimestamp of the control in force, milliseconds since the epoch; 0 for none
     * @param progress how far it has come
     */
    record Standing(
            double learningRateScale,
            int failedBatch,
            long workerMemory,
            long controlTimestamp,
            Progress progress) {
        static final Standing PLAIN = new Standing(1, 0, 0, 0, Progress.NONE);
    }

    /**
     * Progress of a run, and the gain of a larger batch.
     *
     * @param rounds made before the open one, in rounds at the batch it started with; NaN where it
     *     counts nothing but rounds
     * @param gain the worth of the open round, in the same unit; NaN likewise
     * @param noiseScale φ in samples, NaN if unknown
     * @param averagedRows of how many of a round's rows the aggregate is worth the mean, NaN if
     *     unknown
     */
    record Progress(double rounds, double gain, double noiseScale, double averagedRows) {
        /** The progress of a run that counts rounds only. */
        public static final Progress NONE =
                new Progress(Double.NaN, Double.NaN, Double.NaN, Double.NaN);

        /** True if the run counts the gain of rounds. */
        public boolean counts() {
            return !Double.isNaN(rounds);
        }
    }
}
