package dev.levee.federated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.federated.steps.LocalState;
import dev.levee.federated.steps.LocalSteps;
import dev.levee.learners.GenerativeModel;
import dev.levee.learners.Gradient;
import dev.levee.learners.Layout;
import dev.levee.learners.Learner;
import dev.levee.learners.Segment;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.rounds.training.Work;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A generator and a discriminator of one parameter and one buffer each, by hand. */
class DiscriminatorWorkTest {
    private record Pair() implements GenerativeModel {
        private static final long[] ONE = {1};

        @Override
        public String name() {
            return "pair";
        }

        @Override
        public Layout layout() {
            return new Layout(
                    List.of(
                            new Segment("generator.w", ONE, 0, true),
                            new Segment("discriminator.w", ONE, 1, true),
                            new Segment("generator.b", ONE, 2, false),
                            new Segment("discriminator.b", ONE, 3, false)));
        }

        @Override
        public float[] initialParameters(long seed) {
            return new float[4];
        }

        @Override
        public Learner newLearner() {
            throw new UnsupportedOperationException("its gradients come from elsewhere");
        }

        @Override
        public int latent() {
            return 1;
        }

        @Override
        public int[] image() {
            return new int[] {1, 1, 1};
        }

        @Override
        public float[] generate(float[] parameters, int count, long seed) {
            return new float[count];
        }
    }

    private static final DiscriminatorWork WORK =
            new DiscriminatorWork(
                    new Pair(),
                    new int[] {3, 3},
                    new double[] {1, 1},
                    new LocalTraining(
                            new LocalSteps.Steps(2),
                            false,
                            Optimizer.of(OptimizerKind.SGD, 0),
                            LearningRate.parse("constant", 0.5, 10),
                            0,
                            LocalState.KEEP),
                    new Swapping(2),
                    5);

    /** The generator's gradient is ten times the discriminator, whose own is itself. */
    private static Gradient gradient(float[] w, int step) {
        return new Gradient(new float[] {10 * w[1], w[1], w[2] + 1, w[3] + 1}, w[1]);
    }

    private static Work.Result work(long round, float[] x, Map<String, float[]> kept) {
        Settings settings = new Settings(Cohort.of(0, 1), 0, 2, 4, 1, false, false, 0);
        Work.Task task = new Work.Task(0, 1, round, settings, x, round * 12, kept, 0);
        return WORK.work(task, kept, 2, DiscriminatorWorkTest::gradient);
    }

    /**
     * The discriminator goes 8 → 4 → 2 and stays; the generator's gradient through it is 20. In the
     * next round it goes 2 → 1 → 1/2, whatever the server's vector has in its place.
     */
    @Test
    void theDiscriminatorStaysAndTheGeneratorsGradientIsSent() {
        float[] start = {5, 8, 0, 0};
        Work.Result first = work(0, start, Map.of());
        assertThat(first.values()).containsExactly(20, 0, 1, 0);
        assertThat(first.vectors().get("discriminator")).containsExactly(2, 2);
        assertThat(start).containsExactly(5, 8, 0, 0);
        Work.Result second = work(1, new float[] {7, 8, 3, 0}, first.vectors());
        assertThat(second.values()).containsExactly(5, 0, 4, 0);
        assertThat(second.vectors().get("discriminator")).containsExactly(0.5f, 4);
        assertThat(second.loss()).isEqualTo(0.5);
    }

    /** Three batches of four a round, and another place every two rounds. */
    @Test
    void discriminatorsChangePlaces() {
        assertThat(WORK.draw(0, 0, 4).share()).isZero();
        assertThat(WORK.draw(0, 20, 4).share()).isZero();
        assertThat(WORK.draw(0, 24, 4).share()).isEqualTo(1);
        assertThat(WORK.draw(1, 44, 4).share()).isZero();
        assertThat(WORK.draw(1, 48, 4).share()).isEqualTo(1);
        assertThat(WORK.draw(1, 0, 4).share()).isEqualTo(1);
    }

    @Test
    void noneStaysWhereItIsAndEachSuchPermutationIsDrawn() {
        Set<String> drawn = new HashSet<>();
        for (long swap = 0; swap < 400; swap++) {
            int[] to = Swapping.derangement(4, 5, swap);
            for (int i = 0; i < 4; i++) {
                assertThat(to[i]).isNotEqualTo(i);
            }
            assertThat(Arrays.stream(to).sorted()).containsExactly(0, 1, 2, 3);
            drawn.add(Arrays.toString(to));
        }
        assertThat(drawn).hasSize(9);
        assertThat(Swapping.derangement(1, 5, 0)).containsExactly(0);
        assertThatThrownBy(() -> new Swapping(0)).hasMessage("swapEvery must be at least 1, got 0");
    }
}
