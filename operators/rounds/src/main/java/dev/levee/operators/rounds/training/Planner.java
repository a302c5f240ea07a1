package dev.levee.operators.rounds.training;

import dev.levee.gar.LookResult;
import dev.levee.operators.rounds.Control;
import dev.levee.operators.rounds.GradientCost;
import dev.levee.operators.rounds.Settings;

/** Plans the rounds of one run, in order. Single-threaded. */
public interface Planner {
    /**
     * Settings of the round after {@code before}.
     *
     * @param round number of the round that the settings are for
     */
    Settings next(Settings before, long round);

    /** The state to checkpoint now. */
    default PlanState snapshot() {
        return PlanState.NONE;
    }

    /** Sets the current parallelism of the job. */
    default void runsOn(int subtasks) {}

    /**
     * Accepts a control, which applies from the next round that it allows.
     *
     * @return false if it is not newer than the current one, or this planner has none
     */
    default boolean control(Control control) {
        return false;
    }

    /** Records the cost of a gradient of the open round. */
    default void computed(GradientCost effort, Settings open) {}

    /**
     * Records the distances between the rows of a block. Called once for each block of a round,
     * before any later round is decided.
     */
    default void spread(int block, LookResult seen) {}

    /**
     * Records workers that were proven faulty in a round, other than by absence. Called when the
     * round closes, before {@link #next}.
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
     * @param learningRateScale the round's step size, divided by that of the schedule
     * @param failedBatch smallest local batch that took too much memory, 0 for none
     * @param workerMemory bytes that one gradient may take, 0 for no limit
     * @param controlTimestamp timestamp of the current control, milliseconds since the epoch; 0 for
     *     none
     * @param progress progress of the run
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
     * @param rounds progress before the open round, in rounds at the initial batch; NaN if the run
     *     counts only rounds
     * @param gain progress of the open round, in the same unit; NaN likewise
     * @param noiseScale φ in samples, NaN if unknown
     * @param averagedRows number of rows whose mean is as accurate as the aggregate, NaN if unknown
     */
    record Progress(double rounds, double gain, double noiseScale, double averagedRows) {
        /** The progress of a run that counts only rounds. */
        public static final Progress NONE =
                new Progress(Double.NaN, Double.NaN, Double.NaN, Double.NaN);

        /** True if the run counts the gain of rounds. */
        public boolean counts() {
            return !Double.isNaN(rounds);
        }
    }
}
