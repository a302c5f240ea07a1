package dev.levee.federated.plan;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.federated.devices.Devices;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Pulls;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.training.PlanState;
import dev.levee.operators.rounds.training.Planner;
import dev.levee.operators.rounds.training.Training;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A plan that repeats an asynchronous run: devices pull the same versions, and each round takes the
 * same contributions.
 *
 * @param devices the devices that were asked
 * @param asynchrony the treatment of their contributions
 * @param log the decisions
 * @param mixing as in {@link ArrivalPlan#mixing}
 */
public record RecordedPlan(Devices devices, Asynchrony asynchrony, DecisionLog log, boolean mixing)
        implements ForeseenPulls {
    @Override
    public void check(Training training) {
        require(
                log.rounds().size() == training.rounds(),
                "{replay} has %s rounds, so {rounds} must be as many, got %s",
                log.rounds().size(),
                training.rounds());
        require(
                log.lastDevice() < training.workers(),
                "{replay} has device %s, so {workers} must be above it, got %s",
                log.lastDevice(),
                training.workers());
        for (int round = 0; round < log.rounds().size(); round++) {
            require(
                    log.rounds().get(round).size() == asynchrony.buffer(),
                    "{replay} has %s contributions in round %s, so {buffer} must be as many, got %s",
                    log.rounds().get(round).size(),
                    round,
                    asynchrony.buffer());
        }
        require(
                log.mostStale() <= asynchrony.maxStaleness(),
                "{replay} has a staleness of %s, so {maxStaleness} must be as much, got %s",
                log.mostStale(),
                asynchrony.maxStaleness());
    }

    @Override
    public Planner planner(Training training, PlanState state) {
        return new Rounds(training);
    }

    @Override
    public long ahead() {
        return log.mostStale();
    }

    /** A device may have computed all its open contributions while other devices closed rounds. */
    @Override
    public int mostAhead() {
        return Math.toIntExact(log.mostStale() + 1);
    }

    @Override
    public String crowd(Training training) {
        return asynchrony.buffer() + " of " + devices.count();
    }

    @Override
    public List<VirtualRound> simulated(Training training, long rounds) {
        return List.of();
    }

    private final class Rounds implements Planner {
        private final Training training;

        /** By version and device: the round in which the contribution counts. */
        private final Map<Long, TreeMap<Integer, Long>> due = new TreeMap<>();

        private Rounds(Training training) {
            this.training = training;
            for (int round = 0; round < log.rounds().size(); round++) {
                for (var row : log.rounds().get(round).entrySet()) {
                    due.computeIfAbsent(row.getValue(), base -> new TreeMap<>())
                            .put(row.getKey(), (long) round);
                }
            }
        }

        @Override
        public Settings next(Settings before, long round) {
            long known = Math.min(round, log.rounds().size() - 1L);
            Settings plain = training.settings(round, Cohort.of(log.devices(known)));
            long[] bases = log.bases(known);
            TreeMap<Integer, Long> pulls = due.getOrDefault(round, new TreeMap<>());
            return pulled(
                    plain,
                    round,
                    new Pulls(
                            pulls.keySet().stream().mapToInt(Integer::intValue).toArray(),
                            pulls.values().stream().mapToLong(Long::longValue).toArray(),
                            bases));
        }
    }
}
