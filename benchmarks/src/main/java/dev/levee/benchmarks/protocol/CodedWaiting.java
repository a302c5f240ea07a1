package dev.levee.benchmarks.protocol;

import dev.levee.benchmarks.Machine;
import dev.levee.operators.rounds.coding.Coding;
import dev.levee.operators.rounds.coding.GradientCode;
import dev.levee.operators.rounds.coding.WaitingTimes;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Rounds of workers with shifted exponential delays, in virtual time: until all have answered, and
 * until the code decodes from the answers that have come, against what the formulas of Lee et al.
 * say. Workers answer in the order in which they are ready, and the server tries to decode as soon
 * as n − s answers are there.
 */
public final class CodedWaiting {
    private static final int ROUNDS = 20_000;
    private static final double EXACT = 1e-9;

    private CodedWaiting() {}

    /**
     * Runs it.
     *
     * @param args values of μ; 1 and 0.05 if there are none
     */
    public static void main(String[] args) {
        Machine.print();
        System.out.printf(
                "%d rounds each%n   n    mu  code            all / coded   theory   off by%n",
                ROUNDS);
        String[] rates = args.length > 0 ? args : new String[] {"1", "0.05"};
        for (String rate : rates) {
            for (int n : new int[] {10, 20, 50}) {
                for (int stragglers : new int[] {1, 4}) {
                    measure(n, stragglers, Double.parseDouble(rate));
                }
            }
        }
    }

    private static void measure(int n, int stragglers, double mu) {
        Coding coding = new Coding(Coding.Kind.FRACTIONAL, stragglers);
        GradientCode code = coding.code(n, 1);
        WaitingTimes theory = new WaitingTimes(n, mu, 1);
        SplittableRandom random = new SplittableRandom(n);
        double all = 0;
        double coded = 0;
        for (int round = 0; round < ROUNDS; round++) {
            all += Arrays.stream(delays(random, n, mu)).max().orElseThrow() / n;
            coded += (stragglers + 1) * decoded(code, delays(random, n, mu)) / n;
        }
        double measured = all / coded;
        double expected = theory.all() / theory.gradient(stragglers);
        System.out.printf(
                Locale.ROOT,
                "%4d  %4s  %-14s  %11.3f  %7.3f  %6.1f %%%n",
                n,
                mu,
                code.name(),
                measured,
                expected,
                100 * (measured / expected - 1));
    }

    /** When the code decodes exactly, from the first n − s answers. */
    private static double decoded(GradientCode code, double[] delays) {
        int[] order =
                IntStream.range(0, delays.length)
                        .boxed()
                        .sorted(Comparator.comparingDouble(worker -> delays[worker]))
                        .mapToInt(Integer::intValue)
                        .toArray();
        int needed = code.fewestAnswers();
        int[] answers = Arrays.stream(order, 0, needed).sorted().toArray();
        if (code.decode(answers).residual() > EXACT) {
            throw new IllegalStateException(code.name() + " does not decode from " + needed);
        }
        return delays[order[needed - 1]];
    }

    private static double[] delays(SplittableRandom random, int n, double mu) {
        double[] delays = new double[n];
        Arrays.setAll(delays, i -> 1 - Math.log(1 - random.nextDouble()) / mu);
        return delays;
    }
}
