package dev.levee.operators.rounds;

/** Plans the rounds of one run, one after the other. Single-threaded. */
public interface Planner {
    /**
     * Settings of the round after {@code before}.
     *
     * @param round number of the round they are for
     */
    Settings next(Settings before, long round);

    /** What has to be remembered now. */
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
    default void computed(Effort effort, Settings open) {}

    /** What decides about settings now, for whoever allocates. */
    default Standing standing(Settings open) {
        return Standing.PLAIN;
    }

    /**
     * What decides about settings.
     *
     * @param learningRateScale how many times the schedule's step size the round's step size is
     * @param failedBatch smallest local batch that took too much memory, 0 for none
     * @param workerMemory bytes that one gradient may take, 0 for no limit
     * @param controlTimestamp of the control in force, milliseconds since the epoch; 0 for none
     */
    record Standing(
            double learningRateScale, int failedBatch, long workerMemory, long controlTimestamp) {
        static final Standing PLAIN = new Standing(1, 0, 0, 0);
    }
}
