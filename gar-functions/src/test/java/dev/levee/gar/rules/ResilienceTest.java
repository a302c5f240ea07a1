package dev.levee.gar.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Attacks;
import dev.levee.gar.Draws;
import dev.levee.gar.Rules;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;

/**
 * Rules against attacks where theory is clear about who wins; the benchmark VectorResilience
 * measures the rest. Eleven rows of 300 coordinates, a true gradient of norm 1 and noise of a given
 * norm, five seeds.
 */
class ResilienceTest {
    private static final int N = 11;
    private static final int D = 300;
    private static final int SEEDS = 5;

    /** A row may lie as far from the honest mean as honest rows do, with some room for chance. */
    private static final double FAR = 1.5;

    /** Within their limits they hold while the gradient outweighs the noise. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "median; 3; reversed",
                "median; 3; fall-of-empires(2)",
                "trimmed-mean; 3; little-is-enough",
                "multi-krum; 3; reversed",
                "multi-krum; 3; fall-of-empires(0.1)",
                "multi-krum; 3; inf",
                "bulyan; 2; bulyan-attack",
                "bulyan; 2; min-max",
                "bulyan(rule=geometric-median); 2; fall-of-empires(2)",
                "nnm | krum; 3; mimic",
                "nnm | median; 4; min-sum",
                "dnc; 4; fall-of-empires(2)",
                "dnc; 4; little-is-enough",
                "sign-guard; 4; reversed",
                "sign-guard; 4; nan",
                "clipped-clustering; 4; sign-flip",
                "clipped-clustering; 4; inf"
            })
    void held(String rule, int f, String attack) {
        for (int seed = 0; seed < SEEDS; seed++) {
            Outcome outcome = run(rule, f, attack, 0.3, seed);
            assertThat(outcome.error).as("error, seed %d", seed).isLessThan(FAR);
            assertThat(outcome.cosine).as("cosine, seed %d", seed).isGreaterThan(0.8);
        }
    }

    /**
     * One attacker of any size moves an average; two cancel what nine say if they say it loudly.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "average; 1; reversed",
                "average; 1; gaussian",
                "nnm | average; 1; reversed",
                "average; 4; fall-of-empires(2)"
            })
    void averagesBreak(String rule, int f, String attack) {
        for (int seed = 0; seed < SEEDS; seed++) {
            assertThat(run(rule, f, attack, 0.3, seed).held()).as("seed %d", seed).isFalse();
        }
    }

    /**
     * Where noise outweighs the gradient, −ε·mean is nearer to everybody than honest rows are to
     * one another, so Krum selects it (Xie, Koyejo, Gupta, UAI 2019): the result points uphill.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void krumFallsForTheEmpire(int f) {
        for (int seed = 0; seed < SEEDS; seed++) {
            Outcome outcome = run("krum", f, "fall-of-empires(0.1)", 3, seed);
            assertThat(outcome.cosine).as("seed %d", seed).isLessThan(-0.5);
        }
    }

    /** Values that are no numbers stop an average in the first round. */
    @ParameterizedTest
    @ValueSource(strings = {"nan", "inf"})
    void averagesOfNoNumbers(String attack) {
        assertThat(run("average", 1, attack, 0.3, 1).held()).isFalse();
    }

    private record Outcome(double cosine, double error) {
        boolean held() {
            return cosine > 0.8 && error < FAR;
        }
    }

    private static Outcome run(String rule, int f, String attack, double noise, int seed) {
        double[] gradient = new double[D];
        Arrays.setAll(gradient, i -> Draws.normal(seed, i) / Math.sqrt(D));
        float[][] honest = new float[N - f][D];
        for (int r = 0; r < honest.length; r++) {
            long key = Draws.key(seed, r);
            for (int i = 0; i < D; i++) {
                honest[r][i] = (float) (gradient[i] + noise / Math.sqrt(D) * Draws.normal(key, i));
            }
        }
        float[][] rows = Arrays.copyOf(honest, N);
        float[][] forged = Attacks.rows(Attacks.parse(attack), honest, f, 0, seed);
        System.arraycopy(forged, 0, rows, N - f, f);
        float[] result = Rules.aggregate(Rules.parse(rule), rows, f, seed);
        double dot = 0;
        double squares = 0;
        double gradientSquares = 0;
        double error = 0;
        double spread = 0;
        for (int i = 0; i < D; i++) {
            double mean = 0;
            for (float[] row : honest) {
                mean += row[i] / (double) honest.length;
            }
            for (float[] row : honest) {
                spread += (row[i] - mean) * (row[i] - mean) / honest.length;
            }
            error += (result[i] - mean) * (result[i] - mean);
            dot += result[i] * gradient[i];
            squares += (double) result[i] * result[i];
            gradientSquares += gradient[i] * gradient[i];
        }
        return new Outcome(dot / Math.sqrt(squares * gradientSquares), Math.sqrt(error / spread));
    }
}
