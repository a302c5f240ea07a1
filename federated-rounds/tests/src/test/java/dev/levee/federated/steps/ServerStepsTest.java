package dev.levee.federated.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.levee.federated.plan.StalenessWeight;
import dev.levee.gar.Rules;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.Position;
import dev.levee.operators.rounds.shard.ParameterBlock;
import dev.levee.operators.rounds.shard.Shard;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;

/**
 * Two steps from x = 1 along g = 2, then g = −1, that is, devices changed the model by Δ = −2, then
 * Δ = 1, with η = 0.1; worked by hand.
 */
class ServerStepsTest {
    private static double[] twoSteps(String text) {
        Optimizer optimizer = ServerSteps.parse(text);
        Position x = new Position(new float[] {1}, optimizer.initial(1));
        double[] path = new double[2];
        float[] means = {2, -1};
        for (int step = 0; step < 2; step++) {
            Position next = Position.zeros(1, optimizer.moments());
            optimizer.step(x, new float[] {means[step]}, 1, step, 0.1, next);
            x = next;
            path[step] = x.x()[0];
        }
        return path;
    }

    private static void check(double[] path, double first, double second) {
        assertThat(path[0]).isCloseTo(first, within(1e-6));
        assertThat(path[1]).isCloseTo(second, within(1e-6));
    }

    @Test
    void sgdMixesAShareOfTheMeanIn() {
        // x + 0.1·Δ
        check(twoSteps("sgd"), 0.8, 0.9);
    }

    /** Towards the models 2 and −1, a tenth of the way each. */
    @Test
    void mixingGoesTowardsTheModel() {
        check(twoSteps("mix"), 0.9 * 1 + 0.1 * 2, 0.9 * 1.1 - 0.1);
    }

    /** α_t = 0.6/√4 for a model that is three versions old: 0.7·2 + 0.3·4; buffers alike. */
    @Test
    void mixingTakesBuffersAlong() {
        Optimizer mix = ServerSteps.parse("mix");
        double rate = 0.6 * StalenessWeight.parse("polynomial(0.5)").at(3);
        Position x = new Position(new float[] {2, 0}, new float[0][]);
        Position next = Position.zeros(2, 0);
        assertThat(mix.stepsBuffers()).isTrue();
        mix.step(x, new float[] {4, 10}, 2, 0, rate, next);
        assertThat(next.x()[0]).isCloseTo(2.6f, within(1e-6f));
        assertThat(next.x()[1]).isCloseTo(3f, within(1e-6f));
    }

    @Test
    void momentum() {
        // v = 2, then 0.5·2 − 1 = 0
        check(twoSteps("momentum(0.5)"), 0.8, 0.8);
    }

    @Test
    void nesterov() {
        // v = 2: g + 0.5·v = 3. v = 0: g + 0 = −1.
        check(twoSteps("nesterov(mu=0.5)"), 0.7, 0.8);
    }

    @Test
    void adamBeginsWithTauSquared() {
        // β₁ = 0.5, β₂ = 0.75, τ = 1: m = 1, v = 0.75·1 + 0.25·4 = 1.75; then m = 0,
        // v = 0.75·1.75 + 0.25.
        check(twoSteps("adam(0.5, 0.75, 1)"), 1 - 0.1 / (Math.sqrt(1.75) + 1), first("adam"));
        // β₁ = 0.9: m = 0.2, then 0.18 − 0.1 = 0.08.
        double first = 1 - 0.1 * 0.2 / (Math.sqrt(1.75) + 1);
        check(
                twoSteps("adam(beta2=0.75, tau=1)"),
                first,
                first - 0.1 * 0.08 / (Math.sqrt(0.75 * 1.75 + 0.25) + 1));
    }

    /** With β₁ = 0.5 the second m is 0.5·1 − 0.5 = 0, so the second step goes nowhere. */
    private static double first(String name) {
        return twoSteps(name + "(0.5, 0.75, 1)")[0];
    }

    @Test
    void adamOfOtherLibraries() {
        // v₀ = 0 and corrected: m̂ = 2, v̂ = 4; then m = 0.08/0.19, v = (0.75 + 0.25)/0.4375.
        double first = 1 - 0.1 * 2 / (2 + 0.5);
        check(
                twoSteps("adam(0.9, 0.75, 0.5, v0=0, bias-correction=true)"),
                first,
                first - 0.1 * (0.08 / 0.19) / (Math.sqrt(1 / 0.4375) + 0.5));
    }

    /** Round 0 is a secure sum that was refused, so the first step is that of round 1. */
    @ParameterizedTest
    @ValueSource(strings = {"adam", "yogi", "adagrad"})
    void theFirstStepBeginsWithTauSquaredInWhicheverRoundItIs(String text) {
        Training training =
                new TrainingBuilder(
                                "steps",
                                "strokes:",
                                Models.open("logistic", new int[] {1, 28, 28}, 10),
                                Rules.parse("average"),
                                1,
                                0)
                        .optimizer(ServerSteps.parse(text))
                        .build();
        ParameterBlock block = Shard.initial(training, 0, new float[] {1}).block();
        float[][] ends = new float[2][];
        for (int round = 0; round < 2; round++) {
            Position next = Position.zeros(1, 2);
            training.step()
                    .optimizer()
                    .step(
                            new Position(block.values(), block.moments()),
                            new float[] {2e-3f},
                            1,
                            round,
                            0.1,
                            next);
            ends[round] = next.x();
        }
        assertThat(ends[1]).containsExactly(ends[0]);
    }

    @Test
    void yogi() {
        // v₀ = 1 < 4: v = 1 + 0.25·4 = 2. Then 2 > 1: v = 2 − 0.25 = 1.75.
        double first = 1 - 0.1 * 0.2 / (Math.sqrt(2) + 1);
        check(twoSteps("yogi(0.9, 0.75, 1)"), first, first - 0.1 * 0.08 / (Math.sqrt(1.75) + 1));
    }

    @Test
    void adagradHasNoMomentumUnlessAsked() {
        // v = 1 + 4 = 5, then 6.
        double first = 1 - 0.1 * 2 / (Math.sqrt(5) + 1);
        check(twoSteps("adagrad(tau=1)"), first, first + 0.1 / (Math.sqrt(6) + 1));
        double slow = 1 - 0.1 * 0.2 / (Math.sqrt(5) + 1);
        check(twoSteps("adagrad(0.9, 1)"), slow, slow - 0.1 * 0.08 / (Math.sqrt(6) + 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"nesterov", "adam", "yogi", "adagrad"})
    void stepsTheFirstCoordinatesOnlyAndChangesNoInput(String text) {
        Optimizer optimizer = ServerSteps.parse(text);
        float[] x = {1, 2, 3};
        float[] g = {4, 5, 6};
        float[][] moments = new float[optimizer.moments()][];
        Arrays.setAll(moments, i -> new float[] {7, 8, 9});
        Position next = Position.zeros(3, moments.length);

        optimizer.step(new Position(x, moments), g, 2, 3, 0.1, next);

        assertThat(x).containsExactly(1, 2, 3);
        assertThat(g).containsExactly(4, 5, 6);
        assertThat(next.x()[1]).isNotEqualTo(2).isNotZero();
        assertThat(next.x()[2]).isZero();
        for (int i = 0; i < moments.length; i++) {
            assertThat(moments[i]).containsExactly(7, 8, 9);
            assertThat(next.moments()[i][2]).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lion | unknown server step lion: known are sgd, momentum(mu), nesterov(mu), adam(beta1, beta2, tau, v0, bias-correction), yogi(beta1, beta2, tau, v0, bias-correction), adagrad(beta1, tau, v0, bias-correction), mix",
                "sgd(0.9) | sgd takes no parameters, got 0.9",
                "momentum(1) | momentum: mu must be a number of at least 0 and below 1, got 1",
                "adam(gamma=1) | adam has no parameter gamma: it takes beta1, beta2, tau, v0, bias-correction",
                "adam(0.9, beta1=0.5) | adam: beta1 is given twice",
                "adam(beta2=x) | adam: beta2 must be a number, got x",
                "yogi(tau=0) | a server step's tau must be a number above 0, got 0",
                "adagrad(1) | a server step's beta1 must be a number of at least 0 and below 1, got 1",
                "yogi(bias-correction=maybe) | yogi: bias-correction must be true or false, got maybe"
            })
    void refusesInOneSentence(String text, String sentence) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServerSteps.parse(text))
                .withMessage(sentence);
    }
}
