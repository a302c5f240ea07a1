package dev.levee.federated.plan;

import dev.levee.federated.devices.Devices;
import dev.levee.federated.devices.Sampling;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.training.PlanState;
import dev.levee.operators.rounds.training.Planner;
import dev.levee.operators.rounds.training.Training;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * A plan whose rounds ask a sample of the devices. It remembers how often each device was asked.
 *
 * @param sampling selects the devices that are asked
 * @param perRound the number of devices per round
 * @param devices the devices to choose from
 * @param law the law of virtual time, null if that is not simulated
 */
public record DevicePlan(Sampling sampling, int perRound, Devices devices, VirtualClock.Law law)
        implements AskingPlan {
    /** Plans all earlier rounds again, because they determine the devices of this one. */
    @Override
    public Settings at(Training training, long round) {
        Rounds rounds = begin(training);
        Settings settings = null;
        for (long next = 0; next <= round; next++) {
            settings = rounds.next(settings, next);
        }
        return settings;
    }

    /** Without a state, the newest planned round is round 0, which {@link #at} has planned. */
    @Override
    public Planner planner(Training training, PlanState state) {
        double[] values = state.values();
        if (values.length == 0) {
            Rounds rounds = begin(training);
            rounds.next(null, 0);
            return rounds;
        }
        int[] sampled =
                Arrays.stream(values).limit(devices.count()).mapToInt(each -> (int) each).toArray();
        return new Rounds(training, sampled, Arrays.stream(values).skip(sampled.length).toArray());
    }

    /** Number of times that each device has been asked before a round. */
    @Override
    public PlanState stateAt(Training training, long round) {
        Rounds rounds = begin(training);
        Settings settings = null;
        for (long next = 0; next <= round; next++) {
            settings = rounds.next(settings, next);
        }
        return rounds.snapshot();
    }

    private Rounds begin(Training training) {
        return new Rounds(training, new int[devices.count()], new double[0]);
    }

    @Override
    public int perRound(Training training) {
        return perRound;
    }

    @Override
    public int permanent(Training training) {
        return perRound == devices.count() ? perRound : 0;
    }

    @Override
    public boolean foreseen() {
        return true;
    }

    @Override
    public String crowd(Training training) {
        return perRound + " of " + devices.count();
    }

    @Override
    public List<VirtualRound> simulated(Training training, long rounds) {
        List<VirtualRound> all = new ArrayList<>();
        Rounds planner = begin(training);
        Settings settings = null;
        for (long round = 0; round < rounds && law != null; round++) {
            settings = planner.next(settings, round);
            all.add(planner.clock.last());
        }
        return all;
    }

    private final class Rounds implements Planner {
        private final Training training;
        private final int[] sampled;
        private final VirtualClock clock;

        private Rounds(Training training, int[] sampled, double[] time) {
            this.training = training;
            this.sampled = sampled;
            this.clock = law == null ? null : new VirtualClock(law, training.seed(), time);
        }

        @Override
        public Settings next(Settings before, long round) {
            int least = Math.max(1, training.rule().minimumRows(training.byzantine()));
            Sampling.Request request =
                    new Sampling.Request(devices, perRound, least, sampled, training.seed(), round);
            int[] ids = sampling.sample(request);
            Arrays.sort(ids);
            for (int device : ids) {
                sampled[device]++;
            }
            int enough = training.admission().enough(least, ids.length);
            int[] rows = clock == null ? ids : clock.take(ids, round, enough);
            Settings plain = training.settings(round, Cohort.of(rows));
            long samples =
                    before == null
                            ? 0
                            : before.samples() + (long) before.workers() * before.batchSize();
            return plain.after(samples);
        }

        @Override
        public PlanState snapshot() {
            DoubleStream asked = Arrays.stream(sampled).asDoubleStream();
            double[] time = clock == null ? new double[0] : clock.state();
            return new PlanState(DoubleStream.concat(asked, Arrays.stream(time)).toArray());
        }
    }
}
