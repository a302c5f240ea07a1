package dev.levee.federated.plan;

import dev.levee.operators.rounds.Pulls;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.training.PlanState;
import dev.levee.operators.rounds.training.Training;

/** A plan that knows in advance which versions the contributions of a round answer. */
sealed interface ForeseenPulls extends PullingPlan permits PullPlan, RecordedPlan {
    @Override
    default Settings at(Training training, long round) {
        return planner(training, PlanState.NONE).next(null, round);
    }

    @Override
    default int perRound(Training training) {
        return asynchrony().buffer();
    }

    @Override
    default int permanent(Training training) {
        return 0;
    }

    /**
     * The settings of a round, with the devices that pull its model and the versions that rows
     * answer.
     */
    default Settings pulled(Settings plain, long round, Pulls pulls) {
        return plain.pulled(pulls, mixed(plain.learningRate(), round, pulls.bases()));
    }
}
