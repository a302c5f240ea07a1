package dev.levee.federated;

import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Plan;
import dev.levee.operators.rounds.PlanState;
import dev.levee.operators.rounds.Planner;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.Training;

import java.util.Arrays;

/**
 * Each round asks a sample of the devices. Who was asked how often is what the plan remembers.
 *
 * @param sampling who is asked
 * @param perRound how many
 * @param devices among whom
 */
record DevicePlan(Sampling sampling, int perRound, Devices devices) implements Plan {
    private static final long serialVersionUID = 1L;

    /** Plans the rounds before once more: what they asked decides whom this one asks. */
    @Override
    public Settings at(Training training, long round) {
        Rounds rounds = new Rounds(training, new int[devices.count()]);
        Settings settings = rounds.next(null, 0);
        for (long next = 1; next <= round; next++) {
            settings = rounds.next(settings, next);
        }
        return settings;
    }

    /** Without a state, round 0 is the newest that was planned, by {@link #at}. */
    @Override
    public Planner planner(Training training, PlanState state) {
        double[] values = state.values();
        if (values.length == 0) {
            Rounds rounds = new Rounds(training, new int[devices.count()]);
            rounds.next(null, 0);
            return rounds;
        }
        return new Rounds(training, Arrays.stream(values).mapToInt(each -> (int) each).toArray());
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
    public String crowd(Training training) {
        return perRound + " of " + devices.count();
    }

    private final class Rounds implements Planner {
        private final Training training;
        private final int[] sampled;

        private Rounds(Training training, int[] sampled) {
            this.training = training;
            this.sampled = sampled;
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
            Settings plain = Settings.of(training, round, Cohort.of(ids));
            long samples =
                    before == null
                            ? 0
                            : before.samples() + (long) before.workers() * before.batchSize();
            return new Settings(
                    plain.cohort(),
                    plain.f(),
                    plain.quorum(),
                    plain.batchSize(),
                    plain.learningRate(),
                    plain.stop(),
                    plain.evaluate(),
                    samples,
                    plain.deadline());
        }

        @Override
        public PlanState snapshot() {
            return new PlanState(Arrays.stream(sampled).asDoubleStream().toArray());
        }
    }
}
