package dev.levee.benchmarks;

import dev.levee.gar.Aggregator;
import dev.levee.gar.Attack;
import dev.levee.gar.Attacks;
import dev.levee.gar.Draws;
import dev.levee.gar.Rule;
import dev.levee.gar.Rules;
import dev.levee.operators.rounds.coding.Coding;
import dev.levee.operators.rounds.coding.GradientCode;
import dev.levee.operators.rounds.fault.RunFailedException;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Measures how far a result under attack is from the mean gradient of all shares. Compares codes in
 * which each worker computes 2f + 1 shares with robust rules in which each worker computes one. The
 * gradient of a share is a true gradient of norm 1 plus noise of norm {@value #NOISE}.
 */
public final class CodedResilience {
    private static final int DIMENSION = 1000;
    private static final double NOISE = 2;
    private static final int SEEDS = 20;
    private static final List<String> ATTACKS =
            List.of(
                    "none",
                    "reversed",
                    "random",
                    "sign-flip",
                    "little-is-enough",
                    "fall-of-empires(0.1)",
                    "mimic",
                    "min-max");

    /** A code or a rule for this many workers, of whom f are Byzantine. */
    private record Candidate(String name, int workers, int f, GradientCode code) {
        static Candidate code(String coding, int workers, int f) {
            return new Candidate(coding, workers, f, Coding.parse(coding).code(workers, 1));
        }

        Rule rule() {
            return code == null ? Rules.parse(name) : Coding.rule(code, f);
        }
    }

    private CodedResilience() {}

    /** Prints the table. */
    public static void main(String[] args) {
        Machine.print();
        System.out.printf(
                "largest ‖result − mean of all shares‖ by the mean's norm, of %d seeds%n%n", SEEDS);
        System.out.printf("| | n | f | shares | %s |%n", String.join(" | ", ATTACKS));
        System.out.println("|---|" + "---|".repeat(3 + ATTACKS.size()));
        List<Candidate> all = new ArrayList<>();
        all.add(Candidate.code("fractional(2)", 9, 1));
        all.add(Candidate.code("fractional(4)", 10, 2));
        all.add(Candidate.code("cyclic(2)", 11, 1));
        all.add(Candidate.code("cyclic(4)", 11, 2));
        all.add(Candidate.code("cyclic(6)", 11, 3));
        for (String rule : List.of("average", "multi-krum", "median", "nnm | trimmed-mean")) {
            all.add(new Candidate(rule, 11, 3, null));
        }
        all.forEach(CodedResilience::print);
    }

    private static void print(Candidate candidate) {
        StringBuilder line = new StringBuilder();
        line.append(
                "| %s | %d | %d | %d |"
                        .formatted(
                                candidate.name().replace("|", "\\|"),
                                candidate.workers(),
                                candidate.f(),
                                candidate.code() == null ? 1 : candidate.code().stragglers() + 1));
        for (String attack : ATTACKS) {
            double worst = 0;
            for (long seed = 1; seed <= SEEDS; seed++) {
                worst = Math.max(worst, error(candidate, Attacks.parse(attack), seed));
            }
            line.append(String.format(Locale.ROOT, " %.1e |", worst));
        }
        System.out.println(line);
    }

    private static double error(Candidate candidate, Attack attack, long seed) {
        int n = candidate.workers();
        float[][] shares = shares(n, seed);
        float[][] sent = candidate.code() == null ? shares : combined(candidate.code(), shares);
        int f = candidate.f();
        float[][] honest = new float[n - f][];
        int shift = (int) (seed % n);
        for (int i = 0; i < honest.length; i++) {
            honest[i] = sent[(i + shift) % n];
        }
        float[][] lies = Attacks.rows(attack, honest, f, 0, seed);
        float[][] rows = sent.clone();
        for (int i = 0; i < f; i++) {
            // With the attack none, the attacker sends its own row.
            int liar = (honest.length + i + shift) % n;
            rows[liar] = attack.name().equals("none") ? sent[liar] : lies[i];
        }
        try {
            return distance(new Aggregator(candidate.rule(), f, seed).aggregate(rows), shares);
        } catch (RunFailedException e) {
            return Double.POSITIVE_INFINITY;
        }
    }

    private static float[][] shares(int n, long seed) {
        float[][] shares = new float[n][DIMENSION];
        for (int share = 0; share < n; share++) {
            long key = Draws.key(seed, share);
            for (int i = 0; i < DIMENSION; i++) {
                double truth = Draws.normal(Draws.key(seed, -1), i);
                shares[share][i] =
                        (float) ((truth + NOISE * Draws.normal(key, i)) / Math.sqrt(DIMENSION));
            }
        }
        return shares;
    }

    private static float[][] combined(GradientCode code, float[][] shares) {
        double[][] matrix = code.matrix();
        float[][] sent = new float[matrix.length][DIMENSION];
        for (int worker = 0; worker < sent.length; worker++) {
            for (int i = 0; i < DIMENSION; i++) {
                double sum = 0;
                for (int share = 0; share < shares.length; share++) {
                    sum += matrix[worker][share] * shares[share][i];
                }
                sent[worker][i] = (float) sum;
            }
        }
        return sent;
    }

    private static double distance(float[] result, float[][] shares) {
        double apart = 0;
        double norm = 0;
        for (int i = 0; i < DIMENSION; i++) {
            double mean = 0;
            for (float[] share : shares) {
                mean += share[i] / (double) shares.length;
            }
            apart += (result[i] - mean) * (result[i] - mean);
            norm += mean * mean;
        }
        return Math.sqrt(apart / norm);
    }
}
