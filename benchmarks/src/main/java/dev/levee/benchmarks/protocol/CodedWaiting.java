package dev.levee.benchmarks.protocol;

import dev.levee.benchmarks.Machine;
import dev.levee.gar.Draws;
import dev.levee.learners.Gradient;
import dev.levee.operators.rounds.coding.Coding;
import dev.levee.operators.rounds.coding.GradientCode;
import dev.levee.operators.rounds.coding.WaitingTimes;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.rounds.training.Work;
import dev.levee.operators.testing.GradientSource;
import dev.levee.operators.testing.driver.RoundDriver;
import dev.levee.operators.testing.fuzz.Quadratics;

import java.util.Locale;

/**
 * Measures rounds of workers with shifted exponential delays, in the round protocol in virtual
 * time. Compares waiting for all workers and a gradient code with the formulas of Lee et al.
 * Records take no time to travel.
 */
public final class CodedWaiting {
    private static final int ROUNDS = 500;

    /** Shortest time of the whole job on one worker; the driver adds up to 10 µs per task. */
    private static final double WORK_MICROS = 1e9;

    private static final Quadratics PROBLEM = new Quadratics(2, 1, 1, 0, 0);

    private CodedWaiting() {}

    /**
     * Runs the benchmark.
     *
     * @param args values of μ; 1 and 0.05 by default
     */
    public static void main(String[] args) {
        Machine.print();
        System.out.printf(
                "%d rounds each%n   n    mu  code            all / coded   theory   off by%n",
                ROUNDS);
        String[] rates = args.length > 0 ? args : new String[] {"1", "0.05"};
        for (String rate : rates) {
            for (int n : new int[] {10, 20, 50}) {
                double mu = Double.parseDouble(rate);
                double all = micros(n, new Coding(Coding.Kind.FRACTIONAL, 0), mu);
                for (int stragglers : new int[] {1, 4}) {
                    Coding coding = new Coding(Coding.Kind.FRACTIONAL, stragglers);
                    WaitingTimes theory = new WaitingTimes(n, mu, 1);
                    double measured = all / micros(n, coding, mu);
                    double expected = theory.all() / theory.gradient(stragglers);
                    System.out.printf(
                            Locale.ROOT,
                            "%4d  %4s  %-14s  %11.3f  %7.3f  %6.1f %%%n",
                            n,
                            mu,
                            coding.code(n, 1).name(),
                            measured,
                            expected,
                            100 * (measured / expected - 1));
                }
            }
        }
    }

    private static double micros(int n, Coding coding, double mu) {
        GradientCode code = coding.code(n, 1);
        Training training =
                new TrainingBuilder("waiting", "inline:", PROBLEM, Coding.rule(code, 0), n, 0)
                        .work(Coding.work(code))
                        .quorum(coding.quorum(n, 0))
                        .batchSize(1)
                        .rounds(ROUNDS)
                        .build();
        return RoundDriver.of(training, 1).gradients(new Delayed(coding, n, mu)).run().micros();
    }

    /**
     * A source in which the shares of a worker take shifted exponential time, drawn anew in each
     * round.
     */
    private record Delayed(Coding coding, int workers, double mu) implements GradientSource {
        @Override
        public Gradient gradient(Work.Task task) {
            return new Gradient(new float[task.parameters().length], 0);
        }

        @Override
        public long micros(Work.Task task) {
            double drawn = Draws.uniform(Draws.key(workers, task.round()), task.worker());
            double shares = (coding.stragglers() + 1.0) / workers;
            return Math.round(WORK_MICROS * shares * (1 - Math.log(1 - drawn) / mu));
        }
    }
}
