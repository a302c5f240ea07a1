package dev.levee.operators.rounds.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.levee.gar.Attack;
import dev.levee.gar.Attacks;
import dev.levee.gar.BlockKernels;
import dev.levee.gar.LookResult;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.block.Span;
import dev.levee.operators.rounds.HalfBatches;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Gradients with |G|² = 1 and Gaussian noise of a known tr(Σ), on batches of 32. */
class NoiseScaleTest {
    private static final int DIMENSION = 500;
    private static final int BATCH = 32;

    private static float[] gradient(SplittableRandom random, double noise, int batch) {
        double deviation = Math.sqrt(noise / DIMENSION / batch);
        float[] gradient = new float[DIMENSION];
        for (int i = 0; i < DIMENSION; i++) {
            gradient[i] = (float) (1 / Math.sqrt(DIMENSION) + deviation * random.nextGaussian());
        }
        return gradient;
    }

    private static LookResult look(float[][] rows, long round) {
        return BlockKernels.look(
                NoiseScale.LOOK,
                RowMap.identity(rows.length, rows.length),
                rows,
                null,
                new Span(0, DIMENSION, 1, round),
                DIMENSION);
    }

    private static int[] ids(int n) {
        return IntStream.range(0, n).toArray();
    }

    /** What is estimated of n workers of which the last f attack. */
    private static double estimate(double noise, int n, int f, String attack, int rounds) {
        NoiseScale scale = new NoiseScale(0);
        SplittableRandom random = new SplittableRandom(7);
        Attack lies = attack == null ? null : Attacks.parse(attack);
        for (int round = 0; round < rounds; round++) {
            float[][] rows = new float[n][];
            float[][] honest = new float[n - f][];
            for (int i = 0; i < n; i++) {
                rows[i] = gradient(random, noise, BATCH);
                if (i < n - f) {
                    honest[i] = rows[i];
                }
            }
            for (int i = n - f; i < n; i++) {
                boolean own = lies.sees() == Attack.Sees.OWN;
                boolean sees = lies.sees() == Attack.Sees.HONEST;
                rows[i] =
                        lies.forge(
                                i,
                                0,
                                new Round(n, f, round, 1),
                                own ? rows[i] : null,
                                sees ? honest : new float[0][],
                                DIMENSION);
            }
            scale.add(round, ids(n), BATCH, look(rows, round));
        }
        return scale.value();
    }

    @Test
    void isTheLiteralDefinitionWithoutLiars() {
        // Every pair of one round, by hand: 2 workers, 3 coordinates, batch 2.
        NoiseScale scale = new NoiseScale(0);
        float[][] rows = {{1, 2, 0}, {3, 0, 1}};
        for (int round = 0; round < 10; round++) {
            assertThat(scale.value()).isNaN();
            LookResult seen =
                    BlockKernels.look(
                            NoiseScale.LOOK,
                            RowMap.identity(2, 2),
                            rows,
                            null,
                            new Span(0, 3, 1, round),
                            3);
            scale.add(round, ids(2), 2, seen);
        }
        // |g₀ − g₁|² = 9, so tr(Σ) = 9 / (1/2 + 1/2); ⟨g₀, g₁⟩ = 3.
        assertThat(scale.value()).isCloseTo(3, within(1e-12));
    }

    @ParameterizedTest
    @CsvSource({"2, 100", "2, 3000", "5, 100", "11, 100", "11, 3000"})
    void findsWhatIsKnown(int n, double noise) {
        double tolerance = n == 2 && noise > 1000 ? 0.4 : 0.12;
        assertThat(estimate(noise, n, 0, null, 400)).isCloseTo(noise, within(tolerance * noise));
    }

    /** What one worker finds by the halves of its batches, which are of 32 samples or 33. */
    private static void halves(NoiseScale scale, double noise, int from, int rounds) {
        SplittableRandom random = new SplittableRandom(7);
        for (int round = from; round < from + rounds; round++) {
            int batch = BATCH + round % 2;
            int first = HalfBatches.first(batch);
            float[] one = gradient(random, noise, first);
            float[] other = gradient(random, noise, batch - first);
            scale.add(round, ids(1), batch, HalfBatches.of(one, other, DIMENSION).looked());
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 100", "0.9, 100", "0, 3000"})
    void findsItByTwoHalvesOfOneBatch(double momentum, double noise) {
        NoiseScale scale = new NoiseScale(momentum);
        halves(scale, noise, 0, 9);
        assertThat(scale.value()).isNaN();
        halves(scale, noise, 9, 391);
        assertThat(scale.value()).isCloseTo(noise, within((noise > 1000 ? 0.4 : 0.12) * noise));
    }

    @Test
    void halvesAreTheLiteralDefinitionAndCountForNothingAmongOthers() {
        // |g₁ − g₂|² = 9 with 1 and 2 samples, so tr(Σ) = 9 / (1 + 1/2); ⟨g₁, g₂⟩ = 3.
        NoiseScale scale = new NoiseScale(0);
        LookResult seen =
                HalfBatches.of(new float[] {1, 2, 0, 7}, new float[] {3, 0, 1, 7}, 3).looked();
        for (int round = 0; round < 10; round++) {
            assertThat(scale.value()).isNaN();
            scale.add(round, ids(1), 3, seen);
        }
        assertThat(scale.value()).isCloseTo(2, within(1e-12));
        NoiseScale restored = new NoiseScale(0);
        restored.restore(scale.snapshot(), 0);
        // Two workers: their pair begins with what was known, tr(Σ) = 6 and |G|² = 3, as a hundred
        // rounds, and from there it counts alone.
        double trace = 600;
        double product = 300;
        for (int round = 10; round < 3000; round++) {
            restored.add(round, ids(2), 2, new LookResult(2, new double[] {10}, new double[] {1}));
            trace = 0.998 * trace + 10;
            product = 0.998 * product + 1;
            assertThat(restored.value()).isCloseTo(trace / product, withinPercentage(1e-9));
        }
        assertThat(restored.value()).isCloseTo(10, within(0.05));
    }

    @ParameterizedTest
    @CsvSource({
        "little-is-enough(1)",
        "fall-of-empires(0.5)",
        "fall-of-empires(10)",
        "mimic",
        "gaussian",
        "reversed",
        "min-max",
        "min-sum",
        "sign-flip",
        "random",
        "dropped",
        "anti-cge",
        "inf",
        "nan"
    })
    void liarsMoveItLittle(String attack) {
        for (double noise : new double[] {100, 3000}) {
            assertThat(estimate(noise, 11, 3, attack, 400))
                    .as("%s at %s", attack, noise)
                    .isCloseTo(noise, within(0.25 * noise));
        }
    }

    @Test
    void momentumAndChangedBatchesAreTakenOut() {
        double mu = 0.9;
        NoiseScale scale = new NoiseScale(mu);
        SplittableRandom random = new SplittableRandom(3);
        int n = 6;
        float[][] kept = new float[n][];
        for (int round = 0; round < 400; round++) {
            int batch = round % 40 < 20 ? 16 : 64;
            for (int i = 0; i < n; i++) {
                float[] fresh = gradient(random, 200, batch);
                if (kept[i] == null) {
                    kept[i] = fresh;
                } else {
                    float[] smoothed = new float[DIMENSION];
                    for (int c = 0; c < DIMENSION; c++) {
                        smoothed[c] = (float) (mu * kept[i][c] + (1 - mu) * fresh[c]);
                    }
                    kept[i] = smoothed;
                }
            }
            scale.add(round, ids(n), batch, look(kept.clone(), round));
        }
        assertThat(scale.value()).isCloseTo(200, within(0.12 * 200));
    }

    @Test
    void notANumberIsNoNews() {
        NoiseScale scale = new NoiseScale(0);
        SplittableRandom random = new SplittableRandom(5);
        for (int round = 0; round < 300; round++) {
            float[][] rows = new float[5][];
            for (int i = 0; i < 5; i++) {
                rows[i] = gradient(random, 100, BATCH);
            }
            rows[4][0] = round % 2 == 0 ? Float.NaN : Float.POSITIVE_INFINITY;
            scale.add(round, ids(5), BATCH, look(rows, round));
        }
        assertThat(scale.value()).isCloseTo(100, within(12.0));
    }

    @Test
    void goesOnFromWhatItRemembersToTheBit() {
        SplittableRandom random = new SplittableRandom(5);
        NoiseScale whole = new NoiseScale(0.5);
        for (int round = 0; round < 30; round++) {
            NoiseScale restored = new NoiseScale(0.5);
            restored.restore(whole.snapshot(), 0);
            // Workers come and go.
            int n = 3 + round / 10;
            float[][] rows = new float[n][];
            for (int i = 0; i < n; i++) {
                rows[i] = gradient(random, 100, BATCH);
            }
            whole.add(round, ids(n), BATCH, look(rows, round));
            restored.add(round, ids(n), BATCH, look(rows, round));
            assertThat(restored.snapshot()).isEqualTo(whole.snapshot());
        }
    }
}
