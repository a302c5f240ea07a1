package dev.levee.operators.rounds.training;

import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Settings;

/** A plan with all participants in every round, whose settings are a function of the round. */
record FixedPlan() implements Plan {
    @Override
    public Settings at(Training training, long round) {
        return training.settings(round, Cohort.first(training.workers()));
    }

    @Override
    public Planner planner(Training training, PlanState state) {
        return (before, round) -> at(training, round);
    }
}
