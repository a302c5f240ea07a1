package dev.levee.operators.rounds.optimizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Arrays;

/** Two steps from x = 1 along g = 2, then g = −1, with η = 0.1, worked by hand. */
class OptimizerTest {
    private static double[] twoSteps(OptimizerKind kind, double momentum) {
        return twoSteps(Optimizer.of(kind, momentum));
    }

    private static double[] twoSteps(Optimizer optimizer) {
        Position x = new Position(new float[] {1}, new float[optimizer.moments()][1]);
        double[] path = new double[2];
        float[] gradients = {2, -1};
        for (int step = 0; step < 2; step++) {
            Position next = Position.zeros(1, optimizer.moments());
            optimizer.step(x, new float[] {gradients[step]}, 1, step, 0.1, next);
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
    void sgd() {
        // 1 − 0.1·2; 0.8 + 0.1·1
        check(twoSteps(OptimizerKind.SGD, 0), 0.8, 0.9);
    }

    @Test
    void heavyBall() {
        // v = 2, then 0.5·2 − 1 = 0
        check(twoSteps(OptimizerKind.SGD, 0.5), 0.8, 0.8);
    }

    @Test
    void adam() {
        // m = 0.2, v = 0.004: m̂ = 2, v̂ = 4, so a step of 0.1.
        // m = 0.08, v = 0.004996: m̂ = 0.08/0.19, v̂ = 0.004996/0.001999.
        double second = 0.9 - 0.1 * (0.08 / 0.19) / Math.sqrt(0.004996 / 0.001999);
        check(twoSteps(OptimizerKind.ADAM, 0), 0.9, second);
    }

    @Test
    void adamWithDecay() {
        // Each step first shrinks x by 0.1·0.01.
        double first = 0.999 - 0.1;
        double second = 0.999 * first - 0.1 * (0.08 / 0.19) / Math.sqrt(0.004996 / 0.001999);
        check(twoSteps(OptimizerKind.ADAMW, 0), first, second);
    }

    @Test
    void sgdWithDecay() {
        // g = 2 + 0.5·1; g = −1 + 0.5·0.75
        check(twoSteps(Optimizer.decaying(OptimizerKind.SGD, 0, 0.5)), 0.75, 0.8125);
    }

    @Test
    void heavyBallWithDecay() {
        // v = 2.5, then 0.5·2.5 − 1 + 0.5·0.75 = 0.625
        check(twoSteps(Optimizer.decaying(OptimizerKind.SGD, 0.5, 0.5)), 0.75, 0.6875);
    }

    @Test
    void decayOfAdamwIsItsOwn() {
        assertThat(Optimizer.decaying(OptimizerKind.ADAMW, 0, null))
                .isEqualTo(Optimizer.decaying(OptimizerKind.ADAMW, 0, 0.01))
                .isEqualTo(Optimizer.of(OptimizerKind.ADAMW, 0));
        // Each step first shrinks x by 0.1·0.5.
        double first = 0.95 - 0.1;
        double second = 0.95 * first - 0.1 * (0.08 / 0.19) / Math.sqrt(0.004996 / 0.001999);
        check(twoSteps(Optimizer.decaying(OptimizerKind.ADAMW, 0, 0.5)), first, second);
    }

    @ParameterizedTest
    @EnumSource
    void noDecayIsNoOtherOptimizer(OptimizerKind kind) {
        assertThat(Optimizer.decaying(kind, 0.9, null)).isEqualTo(Optimizer.of(kind, 0.9));
    }

    @Test
    void rmsProp() {
        // s = 0.04: u = 2/0.2 = 10. s = 0.0396 + 0.01 = 0.0496: u = −1/√0.0496.
        check(twoSteps(OptimizerKind.RMSPROP, 0), 0, 0.1 / Math.sqrt(0.0496));
    }

    @Test
    void rmsPropWithMomentum() {
        // v = 10, then 5 − 1/√0.0496
        check(twoSteps(OptimizerKind.RMSPROP, 0.5), 0, -0.1 * (5 - 1 / Math.sqrt(0.0496)));
    }

    @Test
    void adaGrad() {
        // s = 4: a step of 0.1; s = 5: back by 0.1/√5
        check(twoSteps(OptimizerKind.ADAGRAD, 0), 0.9, 0.9 + 0.1 / Math.sqrt(5));
    }

    @ParameterizedTest
    @EnumSource
    void stepsTheFirstCoordinatesOnlyAndChangesNoInput(OptimizerKind kind) {
        Optimizer optimizer = Optimizer.of(kind, 0.9);
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

    /** As a server does that nobody else has the moments of. */
    @ParameterizedTest
    @EnumSource(OptimizerKind.class)
    void movesTheSameWayWhereItWritesToTheMomentsThatItReads(OptimizerKind kind) {
        double momentum = Optimizer.of(kind, 0).moments() > 1 ? 0 : 0.5;
        Optimizer optimizer = Optimizer.of(kind, momentum);
        float[][] moments = new float[optimizer.moments()][1];
        Position x = new Position(new float[] {1}, moments);
        double[] path = new double[2];
        float[] gradients = {2, -1};
        for (int step = 0; step < 2; step++) {
            Position next = new Position(new float[1], moments);
            optimizer.step(x, new float[] {gradients[step]}, 1, step, 0.1, next);
            x = next;
            path[step] = x.x()[0];
        }
        assertThat(path).containsExactly(twoSteps(kind, momentum));
    }
}
