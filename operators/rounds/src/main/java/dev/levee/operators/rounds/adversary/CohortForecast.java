package dev.levee.operators.rounds.adversary;

import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.training.PlanState;
import dev.levee.operators.rounds.training.Planner;
import dev.levee.operators.rounds.training.Training;

import java.util.HashMap;
import java.util.Map;

/**
 * Computes the future cohorts of a plan, for adversaries of rounds with a part of the participants.
 */
final class CohortForecast {
    /** Number of rounds kept, in addition to those whose rows may arrive before they are open. */
    private static final int KEPT = 4;

    private final Training training;
    private final Planner planner;
    private final Map<Long, Cohort> known = new HashMap<>();
    private Settings newest;
    private long round;

    /** Creates a forecast from round 0 on. */
    CohortForecast(Training training) {
        this.training = training;
        this.planner = training.plan().planner(training, PlanState.NONE);
        this.newest = training.plan().at(training, 0);
        known.put(0L, newest.cohort());
    }

    /** The cohort of a round; fast for the newest computed rounds and later ones. */
    Cohort at(long wanted) {
        while (round < wanted) {
            newest = planner.next(newest, ++round);
            known.put(round, newest.cohort());
            known.remove(round - KEPT - training.plan().ahead());
        }
        Cohort cohort = known.get(wanted);
        return cohort != null ? cohort : training.plan().at(training, Math.max(0, wanted)).cohort();
    }
}
