package dev.levee.federated.plan;

import dev.levee.federated.devices.Devices;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.training.PlanState;
import dev.levee.operators.rounds.training.Planner;
import dev.levee.operators.rounds.training.Training;

import java.util.List;

/**
 * A plan for devices that are processes of their own. They pull the newest model when they are
 * free, and a round takes the first contributions that arrive, for any version.
 *
 * @param devices the devices that can be asked, null if their data are unknown
 * @param asynchrony the treatment of their contributions
 * @param mixing true if the server's step size decreases with the staleness of a round's only
 *     contribution
 */
public record ArrivalPlan(Devices devices, Asynchrony asynchrony, boolean mixing)
        implements PullingPlan {
    @Override
    public Settings at(Training training, long round) {
        Settings plain = training.settings(round, Cohort.first(training.workers()));
        return plain.after(round * asynchrony.buffer() * plain.batchSize());
    }

    @Override
    public Planner planner(Training training, PlanState state) {
        return (before, round) -> at(training, round);
    }

    @Override
    public double stepSize(Settings settings, long version, long[] bases) {
        return mixed(settings.learningRate(), version, bases);
    }

    @Override
    public String crowd(Training training) {
        return asynchrony.buffer() + " of " + training.workers();
    }

    @Override
    public List<VirtualRound> simulated(Training training, long rounds) {
        return List.of();
    }
}
