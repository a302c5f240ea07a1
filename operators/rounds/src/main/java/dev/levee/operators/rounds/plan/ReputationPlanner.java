package dev.levee.operators.rounds.plan;

import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.training.PlanState;
import dev.levee.operators.rounds.training.Planner;
import dev.levee.operators.rounds.training.Training;

import java.util.stream.IntStream;

/** Plans rounds without the workers that a {@link Reputation} leaves out. */
final class ReputationPlanner implements Planner {
    private final Training training;
    private final Reputation terms;

    /** Number of rounds in which each worker was proven faulty. */
    private final int[] faults;

    /** The round in which each worker takes part again, 0 if it was never left out. */
    private final long[] back;

    /** Samples of all rounds before the newest. */
    private long samples;

    ReputationPlanner(Training training, Reputation terms, PlanState state) {
        this.training = training;
        this.terms = terms;
        this.faults = new int[training.workers()];
        this.back = new long[faults.length];
        double[] values = state.values();
        for (int i = 0; i < values.length / 2; i++) {
            faults[i] = (int) values[2 * i];
            back[i] = (long) values[2 * i + 1];
        }
        // Old states lack the count of samples.
        samples = values.length % 2 == 1 ? (long) values[values.length - 1] : 0;
    }

    /** The faults of each worker and its round of return; then samples. */
    @Override
    public PlanState snapshot() {
        double[] values = new double[2 * faults.length + 1];
        values[2 * faults.length] = samples;
        for (int worker = 0; worker < faults.length; worker++) {
            values[2 * worker] = faults[worker];
            values[2 * worker + 1] = back[worker];
        }
        return new PlanState(values);
    }

    @Override
    public void proven(long round, int[] workers) {
        for (int worker : workers) {
            faults[worker]++;
            boolean room = leftOut(round + 1) < training.byzantine();
            if (faults[worker] >= terms.faults() && room) {
                back[worker] = round + 1 + terms.rounds();
            }
        }
    }

    private int leftOut(long round) {
        return (int) IntStream.range(0, back.length).filter(id -> back[id] > round).count();
    }

    @Override
    public Settings next(Settings before, long round) {
        samples = before.samples() + (long) before.workers() * before.batchSize();
        return at(round);
    }

    /** Settings of the newest round. */
    Settings at(long round) {
        int all = training.workers();
        Settings plain = training.settings(round, Cohort.first(all));
        int[] ids = IntStream.range(0, all).filter(id -> back[id] <= round).toArray();
        int out = all - ids.length;
        int quorum = Math.min(plain.quorum(), ids.length);
        return plain.among(Cohort.of(ids), plain.f() - out, quorum).after(samples);
    }
}
