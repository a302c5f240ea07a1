package dev.levee.federated.plan;

import dev.levee.federated.devices.Devices;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Pulls;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.SharedValue;
import dev.levee.operators.rounds.training.PlanState;
import dev.levee.operators.rounds.training.Planner;
import dev.levee.operators.rounds.training.Training;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A plan in which free devices pull the newest model, and rounds take the contributions that have
 * arrived. Virtual time determines the arrivals ({@link PullSchedule}), so all processes know them,
 * and no log is needed.
 *
 * @param devices the devices that can be asked
 * @param atOnce most devices that work at a time
 * @param asynchrony the treatment of their contributions
 * @param time the duration of their work
 * @param steps number of batches of each device's work on a version
 * @param mixing true if the server's step size decreases with the staleness of a round's only
 *     contribution
 */
public record PullPlan(
        Devices devices,
        int atOnce,
        Asynchrony asynchrony,
        VirtualTime time,
        SharedValue<int[]> steps,
        boolean mixing)
        implements ForeseenPulls {
    @Override
    public Planner planner(Training training, PlanState state) {
        return new Rounds(training);
    }

    @Override
    public boolean foreseen() {
        return true;
    }

    @Override
    public long ahead() {
        return asynchrony.maxStaleness();
    }

    @Override
    public String crowd(Training training) {
        return atOnce + " of " + devices.count() + " at a time";
    }

    @Override
    public List<VirtualRound> simulated(Training training, long rounds) {
        PullSchedule schedule = schedule(training);
        List<VirtualRound> all = new ArrayList<>();
        for (long round = 0; round < rounds; round++) {
            long of = round;
            PullSchedule.Turn turn = schedule.turn(round);
            all.add(
                    new VirtualRound(
                            turn.end(),
                            turn.pulled(),
                            turn.rows(),
                            Arrays.stream(turn.bases()).map(base -> of - base).toArray(),
                            turn.stale().stream().mapToInt(Integer::intValue).toArray()));
        }
        return all;
    }

    private PullSchedule schedule(Training training) {
        double[] work = time.work(steps.get(), training.seed());
        return new PullSchedule(asynchrony, time, work, atOnce, training.seed());
    }

    /** Computes the schedule up to the requested round. */
    private final class Rounds implements Planner {
        private final Training training;
        private final PullSchedule schedule;
        private long told = -1;
        private PullSchedule.Turn turn;

        private Rounds(Training training) {
            this.training = training;
            this.schedule = schedule(training);
        }

        @Override
        public Settings next(Settings before, long round) {
            while (told < round) {
                turn = schedule.turn(++told);
            }
            Settings plain = training.settings(round, Cohort.of(turn.rows()));
            return pulled(plain, round, pulls());
        }

        /**
         * The pulls whose contributions become rows, also in rounds after the last, because a run
         * may be resumed with more rounds.
         */
        private Pulls pulls() {
            int[] counting =
                    IntStream.range(0, turn.pulled().length)
                            .filter(i -> turn.due()[i] != PullSchedule.NEVER)
                            .toArray();
            return new Pulls(
                    Arrays.stream(counting).map(i -> turn.pulled()[i]).toArray(),
                    Arrays.stream(counting).mapToLong(i -> turn.due()[i]).toArray(),
                    turn.bases());
        }
    }
}
