package dev.levee.operators.rounds.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.levee.gar.Aggregator;
import dev.levee.operators.rounds.fault.RunFailedException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

class LocatingRuleTest {
    private static final int DIMENSION = 7;

    /**
     * With n = 3 and s = 2 all send the same mean. Of 5, 5 and 7 the syndromes are 2ω² and 2ω⁴ for
     * ω = exp(2πi / 3), whose ratio ω² is the place of worker 2.
     */
    @Test
    void oneLiarOfThreeByHand() {
        Locator locator = new Locator(3, 2);
        int[] all = {0, 1, 2};
        assertThat(locator.suspects(all, new double[][] {{5, 5, 7}}, 1)).containsExactly(2);
        assertThat(locator.suspects(all, new double[][] {{-1, 5, 5}}, 1)).containsExactly(0);
        // Nothing cancels 2ω²: 2 of 17.
        assertThat(locator.inconsistency(all, new double[][] {{5, 5, 7}}))
                .isCloseTo(2.0 / 17, within(1e-12));
        assertThat(locator.inconsistency(all, new double[][] {{5, 5, 5}}))
                .isCloseTo(0, within(1e-12));
    }

    /** What honest workers send of drawn gradients, as float32. */
    private static float[][] honest(GradientCode code, float[][] gradients) {
        double[][] matrix = code.matrix();
        float[][] sent = new float[code.workers()][DIMENSION];
        for (int worker = 0; worker < sent.length; worker++) {
            for (int i = 0; i < DIMENSION; i++) {
                double sum = 0;
                for (int share = 0; share < gradients.length; share++) {
                    sum += matrix[worker][share] * gradients[share][i];
                }
                sent[worker][i] = (float) sum;
            }
        }
        return sent;
    }

    private static float[][] gradients(SplittableRandom random, int n) {
        float[][] gradients = new float[n][DIMENSION];
        for (float[] each : gradients) {
            for (int i = 0; i < DIMENSION; i++) {
                each[i] = (float) (1 + random.nextGaussian());
            }
        }
        return gradients;
    }

    private static int[] drawn(SplittableRandom random, int n, int count) {
        int[] all = IntStream.range(0, n).toArray();
        for (int i = 0; i < count; i++) {
            int j = i + random.nextInt(n - i);
            int swapped = all[i];
            all[i] = all[j];
            all[j] = swapped;
        }
        return Arrays.stream(all).limit(count).sorted().toArray();
    }

    /**
     * Lies of all sizes, the same one of all liars, and one beside another 10 ^ 30 times larger.
     */
    private static void lie(float[][] sent, int[] liars, int kind, SplittableRandom random) {
        float[] same = {1, 2, 3, 4, 5, 6, 7};
        for (int i = 0; i < liars.length; i++) {
            float[] row = sent[liars[i]];
            for (int j = 0; j < DIMENSION; j++) {
                row[j] =
                        switch (kind) {
                            case 0 -> -row[j];
                            case 1 -> same[j];
                            case 2 -> row[j] * 1.05f;
                            case 3 -> (float) random.nextGaussian() * (i == 0 ? 1e30f : 1);
                            default -> row[j] + (i == 0 ? 1000 : 1);
                        };
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"3, 2, 1", "9, 2, 1", "9, 4, 2", "12, 3, 1", "21, 4, 2", "21, 6, 3", "51, 2, 1"})
    void anyLiarsChangeNothingButRounding(int n, int s, int f) {
        Cyclic code = Cyclic.of(n, s, 1);
        Aggregator rule = new Aggregator(Coding.rule(code, f), f, 1);
        SplittableRandom random = new SplittableRandom(n);
        for (int i = 0; i < 50; i++) {
            float[][] gradients = gradients(random, n);
            float[][] sent = honest(code, gradients);
            int[] liars = drawn(random, n, 1 + i % f);
            lie(sent, liars, i % 5, random);
            float[] mean = rule.aggregate(sent);
            for (int j = 0; j < DIMENSION; j++) {
                int coordinate = j;
                double exact =
                        Arrays.stream(gradients)
                                .mapToDouble(g -> g[coordinate])
                                .average()
                                .orElse(0);
                // The condition of the worst rows times what float32 rounds away.
                assertThat((double) mean[j])
                        .as("lie %d of %s", i % 5, Arrays.toString(liars))
                        .isCloseTo(exact, within(code.condition() * 1e-6 + 1e-6));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"9, 4, 1", "21, 6, 2", "12, 5, 2"})
    void liarsAreFoundAmongThoseWhoHaveAnswered(int n, int s, int f) {
        Locator locator = new Locator(n, s);
        Cyclic code = Cyclic.of(n, s, 1);
        SplittableRandom random = new SplittableRandom(n);
        for (int i = 0; i < 50; i++) {
            int[] answers = drawn(random, n, n - s + 2 * f);
            float[][] sent = honest(code, gradients(random, n));
            int[] places = drawn(random, answers.length, f);
            lie(sent, Arrays.stream(places).map(at -> answers[at]).toArray(), i % 3, random);
            double[][] projections = new double[DIMENSION][];
            for (int j = 0; j < DIMENSION; j++) {
                int coordinate = j;
                projections[j] =
                        Arrays.stream(answers).mapToDouble(w -> sent[w][coordinate]).toArray();
            }
            assertThat(locator.suspects(answers, projections, f))
                    .as("lie %d", i % 3)
                    .isEqualTo(places);
        }
    }

    /** The faulty worker is proven faulty, and two others are late. */
    @Test
    void theFewestHonestAnswersSuffice() {
        Cyclic code = Cyclic.of(10, 3, 1);
        float[][] gradients = gradients(new SplittableRandom(1), 10);
        int[] answered = {0, 2, 3, 5, 6, 8, 9};
        float[][] sent = honest(code, gradients);
        float[] mean =
                new Aggregator(Coding.rule(code, 1), 0, 1)
                        .aggregate(
                                Arrays.stream(answered)
                                        .mapToObj(w -> sent[w])
                                        .toArray(float[][]::new),
                                round -> round.withWorkers(answered));
        for (int j = 0; j < DIMENSION; j++) {
            int coordinate = j;
            double exact =
                    Arrays.stream(gradients).mapToDouble(g -> g[coordinate]).average().orElse(0);
            assertThat((double) mean[j]).isCloseTo(exact, within(code.condition() * 1e-6 + 1e-6));
        }
    }

    @Test
    void moreLiarsThanFEndTheRun() {
        Cyclic code = Cyclic.of(9, 2, 1);
        float[][] sent = honest(code, gradients(new SplittableRandom(1), 9));
        lie(sent, new int[] {1, 4}, 0, null);
        assertThatThrownBy(() -> new Aggregator(Coding.rule(code, 1), 1, 1).aggregate(sent))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("do not agree without any 1 of them");
    }

    @Test
    void needsTwoMoreAnswersForEachLiarAndACirculantCode() {
        assertThat(Coding.rule(Cyclic.of(9, 4, 1), 2).minimumRows(2)).isEqualTo(9);
        assertThatThrownBy(() -> Coding.rule(Cyclic.of(9, 2, 1), 2))
                .hasMessageContaining("needs 2f = 4 of them");
        assertThatThrownBy(() -> Coding.rule(Cyclic.of(10, 2, 1), 1))
                .hasMessageContaining("n − s must be odd: use cyclic(3)");
        assertThatThrownBy(() -> Coding.rule(Coding.parse("approximate(2)").code(7, 1), 1))
                .hasMessageContaining("cannot identify faulty workers");
    }
}
