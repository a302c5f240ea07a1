package dev.levee.gar.attacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.levee.gar.Attack;
import dev.levee.gar.Attacks;
import dev.levee.gar.Round;
import dev.levee.gar.Rules;
import dev.levee.gar.Samples;
import dev.levee.gar.internal.IteratedKrum;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.Random;

/** Attacks that foresee what a rule will do. */
class RuleAwareAttacksTest {
    private static final double JUST_BELOW = 1 - 0x1p-10;

    private static float[] forge(String attack, int attackers, float[]... honest) {
        return Attacks.rows(Attacks.parse(attack), honest, attackers, 0, 0)[0];
    }

    /** Norms 3, 4, 10: one attacker displaces the last; minus (3, 4) at norm 10. */
    @Test
    void antiCgeStaysJustBelowTheRowsThatItDisplaces() {
        float[][] honest = {{6, 8}, {3, 0}, {0, 4}};
        assertThat(forge("anti-cge", 1, honest))
                .containsExactly((float) (-6 * JUST_BELOW), (float) (-8 * JUST_BELOW));
        // Two attackers displace the rows of norm 10 and 4: minus (3, 0) at norm 4.
        assertThat(forge("anti-cge", 2, honest)).containsExactly((float) (-4 * JUST_BELOW), -0f);
    }

    @Test
    void antiCgeOfRowsThatCancelIsZero() {
        assertThat(forge("anti-cge", 1, new float[][] {{1, 1}, {-1, -1}, {5, 5}}))
                .containsExactly(0, 0);
    }

    @Test
    void antiCgeIsFiniteWhereAnHonestRowIsNot() {
        float[] forged = forge("anti-cge", 1, new float[][] {{3, 0}, {Float.NaN, 1}, {0, 4}});
        assertThat(forged[0]).isEqualTo((float) (-0.6 * Float.MAX_VALUE * JUST_BELOW));
        assertThat(forged[1]).isEqualTo((float) (-0.8 * Float.MAX_VALUE * JUST_BELOW));
    }

    @Test
    void antiCgeIsKeptByElimination() {
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            int f = 1 + random.nextInt(3);
            float[][] honest = Samples.normal(random, f + 1 + random.nextInt(8), 20);
            double[] norms = Arrays.stream(honest).mapToDouble(this::norm).sorted().toArray();
            double forged = norm(forge("anti-cge", f, honest));
            assertThat(forged / norms[honest.length - f])
                    .as("seed %d", seed)
                    .isCloseTo(JUST_BELOW, within(1e-6));
        }
    }

    /**
     * Six honest rows 6·e_i, mean (1, …, 1): any two are 72 apart squared, the mean 30 from each.
     * One attacker at γ on the seventh coordinate scores k·(30 + γ²) on its k = 4, 3, 2 nearest;
     * honest rows have (k − 1)·72 + min(72, 30 + γ²). It is selected up to 30 + γ² = 72.
     */
    @Test
    void bulyanAttackGoesAsFarAsItIsSelected() {
        float[][] honest = new float[6][7];
        for (int i = 0; i < 6; i++) {
            honest[i][i] = 6;
        }
        float[] forged = forge("bulyan-attack(coordinate=6)", 1, honest);
        assertThat(Arrays.copyOf(forged, 6)).containsOnly(1);
        assertThat(forged[6]).isCloseTo((float) (Math.sqrt(42) * JUST_BELOW), within(1e-4f));
    }

    @Test
    void bulyanAttackWithAGivenGamma() {
        float[][] honest = {{1, 2}, {3, 4}};
        assertThat(forge("bulyan-attack(3)", 1, honest)).containsExactly(5, 3);
        assertThat(forge("bulyan-attack(gamma=-1,coordinate=1)", 1, honest)).containsExactly(2, 2);
        assertThat(forge("bulyan-attack(gamma=0.5,coordinate=all)", 1, honest))
                .containsExactly(2.5f, 3.5f);
        // The one row selected of three is an honest one, wherever the attacker is.
        assertThat(forge("bulyan-attack", 1, new float[][] {{0}, {2}})).containsExactly(1);
        assertThat(forge("bulyan-attack", 1, new float[][] {{2, 1}, {2, 1}})).containsExactly(2, 1);
    }

    /** The rows that are sent are selected; twice as far out they would not be. */
    @ParameterizedTest
    @ValueSource(strings = {"0", "all"})
    void bulyanAttackIsSelected(String coordinate) {
        for (long seed = 0; seed < 100; seed++) {
            Random random = new Random(seed);
            int f = 1 + random.nextInt(3);
            float[][] honest = Samples.normal(random, 3 * f + 3 + random.nextInt(5), 30);
            float[] forged = forge("bulyan-attack(coordinate=" + coordinate + ")", f, honest);
            assertThat(selected(honest, forged, f)).as("seed %d", seed).isEqualTo(f);
            float[] farther = forged.clone();
            float[] mean = forge("fall-of-empires(1)", f, honest);
            for (int i = 0; i < mean.length; i++) {
                farther[i] += forged[i] + mean[i];
            }
            assertThat(selected(honest, farther, f)).as("seed %d", seed).isLessThan(f);
        }
    }

    private static long selected(float[][] honest, float[] forged, int f) {
        float[][] rows = Arrays.copyOf(honest, honest.length + f);
        Arrays.fill(rows, honest.length, rows.length, forged);
        double[][] squares = new double[rows.length][rows.length];
        for (int i = 0; i < rows.length; i++) {
            for (int j = 0; j < rows.length; j++) {
                squares[i][j] = square(rows[i], rows[j]);
            }
        }
        return Arrays.stream(IteratedKrum.of(squares, f).selection())
                .filter(i -> i >= honest.length)
                .count();
    }

    @Test
    void iteratedKrumByHand() {
        // 0, 1, 3, 7, 20 with f = 1: three times; two neighbours, then one and one.
        double[][] squares = new double[5][5];
        double[] at = {0, 1, 3, 7, 20};
        for (int i = 0; i < 5; i++) {
            for (int j = 0; j < 5; j++) {
                squares[i][j] = (at[i] - at[j]) * (at[i] - at[j]);
            }
        }
        // 10, 5, 13, …: 1 leaves. 9, 9, 16, …: 0 leaves. 16, 16, …: 3 leaves.
        assertThat(IteratedKrum.of(squares, 1).selection()).containsExactly(1, 0, 2);
    }

    /**
     * Honest 0, 1, 2 with σ = 1 and a fourth row 1 − z: the median is 1 − z/2 until z = 1, and 1/2
     * from there on. Of equal factors the first is taken.
     */
    @Test
    void theOptimalFactorAgainstTheMedian() {
        float[][] honest = {{0}, {1}, {2}};
        assertThat(forge("optimal-little-is-enough(rule=median)", 1, honest)).containsExactly(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"krum", "multi-krum", "median", "nnm | trimmed-mean", "average"})
    void noFactorTriedDoesMoreDamage(String rule) {
        for (String base : new String[] {"little-is-enough", "fall-of-empires"}) {
            Attack optimal = Attacks.parse("optimal-" + base + "(rule=" + rule + ")");
            for (long seed = 0; seed < 10; seed++) {
                float[][] honest = Samples.normal(new Random(seed), 7, 10);
                double damage = damage(rule, honest, optimal);
                for (int k = -10; k <= 10; k++) {
                    Attack plain = Attacks.parse(base + "(" + Math.pow(2, k) + ")");
                    assertThat(damage)
                            .as("%s against %s, seed %d", plain.name(), rule, seed)
                            .isGreaterThanOrEqualTo(damage(rule, honest, plain));
                }
            }
        }
    }

    private double damage(String rule, float[][] honest, Attack attack) {
        float[][] forged = Attacks.rows(attack, honest, 2, 0, 0);
        float[][] rows = Arrays.copyOf(honest, honest.length + 2);
        System.arraycopy(forged, 0, rows, honest.length, 2);
        float[] output = Rules.aggregate(Rules.parse(rule), rows, 2, 0);
        return new HonestRows(honest, honest[0].length).squaredDistanceToMean(output);
    }

    @Test
    void theSearchFindsThePeakOfASmoothFunction() {
        int[] asked = new int[1];
        double found =
                FactorSearch.best(
                        x -> {
                            asked[0]++;
                            return -Math.abs(Math.log(x) - 2);
                        });
        assertThat(found).isCloseTo(Math.exp(2), within(0.02));
        assertThat(asked[0]).isEqualTo(37);
        assertThat(FactorSearch.best(x -> x > 3 ? Double.NaN : x)).isBetween(2.99, 3.0);
        assertThat(FactorSearch.best(x -> Double.NaN)).isEqualTo(1);
    }

    @Test
    void whatDoesNotFitIsExplained() {
        assertThatThrownBy(() -> forge("optimal-fall-of-empires", 2, new float[4][3]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("krum needs n ≥ 2f + 3: with f = 2 that is 7 rows, got 6");
        assertThatThrownBy(
                        () ->
                                Attacks.parse("optimal-fall-of-empires(rule=monna(w9))")
                                        .check(new Round(5, 1, 0, 0), 4))
                .hasMessage(
                        "monna(trusted=w9) trusts w9, which is not among the 5 rows of round 0");
        assertThatThrownBy(() -> Attacks.parse("optimal-fall-of-empires(rule=krumm)"))
                .hasMessageStartingWith("unknown rule krumm");
        assertThatThrownBy(() -> forge("mimic(4)", 1, new float[4][3]))
                .hasMessage(
                        "mimic: the honest row i must be below the number of honest rows, which is"
                                + " 4, got 4");
        assertThatThrownBy(() -> Attacks.parse("mimic(1.5)"))
                .hasMessage("mimic: i must be a whole number from 0, got 1.5");
        assertThatThrownBy(() -> forge("bulyan-attack(coordinate=3)", 1, new float[4][3]))
                .hasMessage(
                        "bulyan-attack: the coordinate must be below the rows' length, which is 3,"
                                + " got 3");
        assertThatThrownBy(() -> Attacks.parse("bulyan-attack(coordinate=last)"))
                .hasMessage("bulyan-attack: coordinate must be a whole number from 0, got last");
        assertThatThrownBy(() -> Attacks.parse("bulyan-attack(gamma=NaN)"))
                .hasMessage("bulyan-attack: gamma must be a number, got NaN");
        assertThatThrownBy(() -> Attacks.parse("little-is-enough(z=Infinity)"))
                .hasMessage("little-is-enough: z must be finite, got Infinity");
        assertThatThrownBy(() -> forge("little-is-enough", 4, new float[1][3]))
                .hasMessageContaining("no default z for n = 5 and f = 4");
    }

    private double norm(float[] row) {
        return Math.sqrt(square(row, new float[row.length]));
    }

    private static double square(float[] a, float[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            double difference = (double) a[i] - b[i];
            sum += difference * difference;
        }
        return sum;
    }
}
