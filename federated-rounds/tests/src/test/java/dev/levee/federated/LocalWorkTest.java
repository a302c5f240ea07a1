package dev.levee.federated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.levee.federated.plan.StalenessWeight;
import dev.levee.federated.privacy.Privacy;
import dev.levee.federated.steps.LocalState;
import dev.levee.federated.steps.LocalSteps;
import dev.levee.learners.Gradient;
import dev.levee.learners.HistogramModel;
import dev.levee.learners.LocalRound;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Pulls;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.rounds.training.Work;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** On the loss w²/2, whose gradient is w, with one buffer that counts the steps; by hand. */
class LocalWorkTest {
    private static final float[] START = {8, 0};

    private static LocalWork work(
            int steps, OptimizerKind kind, double momentum, double mu, boolean keep) {
        return work(steps, kind, momentum, mu, keep, new Upload.Difference());
    }

    private static LocalWork work(
            int steps, OptimizerKind kind, double momentum, double mu, boolean keep, Upload sent) {
        LocalTraining local =
                new LocalTraining(
                        new LocalSteps.Steps(steps),
                        false,
                        Optimizer.of(kind, momentum),
                        LearningRate.parse("step(every=1, factor=0.5)", 0.5, 10),
                        mu,
                        keep ? LocalState.KEEP : LocalState.RESET);
        return new LocalWork(
                local, new int[] {1, steps}, new double[] {1, 3}, Privacy.NONE, 5, sent, false);
    }

    /** Halves the value in each step, and keeps how often it was asked. */
    private record Halving() implements Work.Gradients {
        @Override
        public Gradient at(float[] parameters, int step) {
            throw new AssertionError("a loop of its own takes no steps of ours");
        }

        @Override
        public LocalRound.Result trained(float[] parameters, double rate, int steps) {
            float[] w = {parameters[0] / (1 << steps), parameters[1] + steps};
            return new LocalRound.Result(w, rate, new byte[] {9});
        }
    }

    @Test
    void aLoopOfTheModelsOwnTakesThePlaceOfSteps() {
        LocalWork work =
                new LocalWork(
                        LocalTraining.sgd(new LocalSteps.Steps(3), 0.25),
                        new int[] {1, 3},
                        new double[] {1, 3},
                        1,
                        Privacy.NONE,
                        5,
                        new Upload.Difference(),
                        false,
                        new HistogramModel(0, 1, 0, 1, 2),
                        false);
        Work.Result result = work.work(task(0, 0, Map.of()), Map.of(), 1, new Halving());
        assertThat(result.values()).containsExactly(7, 3);
        assertThat(result.loss()).isEqualTo(0.25);
        assertThat(result.own()).containsExactly(9);
        assertThat(result.vectors()).isEmpty();
    }

    /**
     * E = 2 devices are asked on average, and S = 1. The sum −2 of two devices over E is −1. A
     * third device that sends 1 makes it −1/2, so it moves the mean by S/E, as the accountant
     * assumes. Over three devices, −1/3 would be moved by 2S/3.
     */
    @Test
    void aNoisyMeanIsTheSumOverTheDevicesThatARoundAsksOnAverage() {
        float two = noisyMean(-5, -5);
        assertThat(two).isCloseTo(-1, within(1e-6f));
        assertThat(noisyMean(-5, -5, 5) - two).isCloseTo(1 / 2f, within(1e-6f));
        assertThat(noisyMean(-5) - two).isCloseTo(1 / 2f, within(1e-6f));
    }

    /** The mean of what devices send that step by these lengths, with almost no noise. */
    private static float noisyMean(float... lengths) {
        LocalWork work =
                new LocalWork(
                        LocalTraining.sgd(new LocalSteps.Steps(1), 1),
                        new int[] {1, 1, 1, 1},
                        new double[] {1, 1, 1, 1},
                        2,
                        new Privacy(1, 1e-9, 1e-5),
                        5,
                        new Upload.Difference(),
                        false,
                        null,
                        false);
        int[] ids = IntStream.range(0, lengths.length).toArray();
        Settings settings = new Settings(Cohort.of(ids), 0, 1, 4, 1, false, false, 0);
        float sum = 0;
        for (int device : ids) {
            Work.Task task = new Work.Task(0, device, 0, settings, START, 0, Map.of(), 0);
            float[] step = {lengths[device], 0};
            sum += work.work(task, Map.of(), 1, (w, i) -> new Gradient(step, 0)).values()[0];
        }
        return sum / lengths.length;
    }

    private static Work.Task task(long round, long consumed, Map<String, float[]> kept) {
        Settings settings = new Settings(Cohort.of(1), 0, 1, 4, 1, false, false, 0);
        return new Work.Task(0, 1, round, settings, START, consumed, kept, 0);
    }

    private static Gradient gradient(float[] w, int step) {
        return new Gradient(new float[] {w[0], w[1] + 1}, w[0]);
    }

    @Test
    void sendsWhatItsStepsHaveTakenAway() {
        Work.Result result =
                work(3, OptimizerKind.SGD, 0, 0, false)
                        .work(task(0, 0, Map.of()), Map.of(), 1, LocalWorkTest::gradient);
        // 8 → 4 → 2 → 1 with a step of one half
        assertThat(result.values()).containsExactly(7, 3);
        assertThat(result.weight()).isEqualTo(3);
        assertThat(result.loss()).isCloseTo((8 + 4 + 2) / 3.0, within(1e-12));
        assertThat(result.vectors()).isEmpty();
        assertThat(START).containsExactly(8, 0);
    }

    /** A model that is mixed in is sent as it is. */
    @Test
    void sendsItsModelWhereModelsAreMixed() {
        Work.Result result =
                work(3, OptimizerKind.SGD, 0, 0, false, new Upload.Model())
                        .work(task(0, 0, Map.of()), Map.of(), 1, LocalWorkTest::gradient);
        assertThat(result.values()).containsExactly(1, 3);
    }

    /** What counts three versions later counts half, but for buffers. */
    @Test
    void aStaleDifferenceShrinks() {
        Settings settings =
                new Settings(
                        Cohort.of(0),
                        0,
                        1,
                        4,
                        1,
                        false,
                        false,
                        0,
                        null,
                        new Pulls(new int[] {1}, new long[] {3}, new long[] {0}));
        Work.Task task = new Work.Task(0, 1, 0, settings, START, 0, Map.of(), 0);
        Upload faded = new Upload.Faded(StalenessWeight.parse("polynomial(0.5)"));
        Work.Result result =
                work(3, OptimizerKind.SGD, 0, 0, false, faded)
                        .work(task, Map.of(), 1, LocalWorkTest::gradient);
        assertThat(result.values()).containsExactly(3.5f, 3);
    }

    @Test
    void itsStepSizeFollowsTheRound() {
        Work.Result result =
                work(1, OptimizerKind.SGD, 0, 0, false)
                        .work(task(1, 0, Map.of()), Map.of(), 1, LocalWorkTest::gradient);
        assertThat(result.values()[0]).isEqualTo(2); // a quarter of 8
    }

    @Test
    void theProximalTermPullsBack() {
        Work.Result result =
                work(2, OptimizerKind.SGD, 0, 1, false)
                        .work(task(0, 0, Map.of()), Map.of(), 1, LocalWorkTest::gradient);
        // 8 → 4; then the gradient is 4 + 1·(4 − 8) = 0
        assertThat(result.values()[0]).isEqualTo(4);
    }

    @Test
    void momentumStaysWithTheDeviceIfKept() {
        LocalWork keeping = work(2, OptimizerKind.SGD, 0.5, 0, true);
        Work.Result first =
                keeping.work(task(0, 0, Map.of()), Map.of(), 1, LocalWorkTest::gradient);
        // v = 8, w = 4; v = 4 + 4 = 8, w = 0
        assertThat(first.values()[0]).isEqualTo(8);
        assertThat(first.vectors().get("moment0")[0]).isEqualTo(8);
        Map<String, float[]> kept = first.vectors();
        Work.Result second = keeping.work(task(0, 8, kept), kept, 1, LocalWorkTest::gradient);
        // v = 0.5·8 + 8 = 12, w = 8 − 6 = 2; v = 6 + 2 = 8, w = −2
        assertThat(second.values()[0]).isEqualTo(10);
        assertThat(kept.get("moment0")[0]).isEqualTo(8);
        Work.Result reset =
                work(2, OptimizerKind.SGD, 0.5, 0, false)
                        .work(task(0, 8, Map.of()), Map.of(), 1, LocalWorkTest::gradient);
        assertThat(reset.values()[0]).isEqualTo(8);
        assertThat(reset.vectors()).isEmpty();
    }

    /** A device whose state is lost has drawn samples before, but its vectors begin anew. */
    @ParameterizedTest
    @ValueSource(longs = {0, 4000})
    void adamCountsTheStepsOfTheVectorsThatADeviceHas(long consumed) {
        // At its first step Adam moves by the step size, whatever the gradient.
        LocalWork keeping = work(1, OptimizerKind.ADAM, 0, 0, true);
        Work.Result first =
                keeping.work(task(0, consumed, Map.of()), Map.of(), 1, LocalWorkTest::gradient);
        assertThat(first.values()[0]).isCloseTo(0.5f, within(1e-5f));
        // m̂ and v̂ of two equal gradients are those of one, if corrected for two steps.
        Work.Result second =
                keeping.work(
                        task(0, consumed + 4, first.vectors()),
                        first.vectors(),
                        1,
                        LocalWorkTest::gradient);
        assertThat(second.values()[0]).isCloseTo(0.5f, within(1e-5f));
    }

    /**
     * After a round of 1 step of a device with weight 1 and 5 steps of one with weight 3, the mean
     * device has seen 4 gradients. With m and v of 4 equal gradients, the next equal one moves Adam
     * by the step size.
     */
    @Test
    void adamCountsTheStepsOfTheMeanDeviceIfMomentsAreAveraged() {
        LocalTraining local =
                new LocalTraining(
                        new LocalSteps.Steps(5),
                        false,
                        Optimizer.of(OptimizerKind.ADAM, 0),
                        LearningRate.parse("constant", 0.5, 10),
                        0,
                        LocalState.AVERAGE);
        LocalWork work =
                new LocalWork(
                        local,
                        new int[] {1, 5},
                        new double[] {1, 3},
                        Privacy.NONE,
                        5,
                        new Upload.Difference(),
                        false);
        float m = (float) (8 * (1 - Math.pow(0.9, 4)));
        float v = (float) (64 * (1 - Math.pow(0.999, 4)));
        Settings settings = new Settings(Cohort.of(0), 0, 1, 4, 1, false, false, 0);
        Work.Task task = new Work.Task(0, 0, 1, settings, new float[] {8, 0, m, v}, 4, Map.of(), 0);

        Work.Result result =
                work.work(
                        task,
                        Map.of(),
                        1,
                        (w, step) -> new Gradient(new float[] {w[0], w[1] + 1, 0, 0}, 0));

        assertThat(result.values()[0]).isCloseTo(0.5f, within(1e-5f));
    }

    @Test
    void noGradientIsOfAnArrayThatHasChangedSinceTheOneBefore() {
        // A learner takes an array that it saw last for the same model.
        List<float[]> arrays = new ArrayList<>();
        work(6, OptimizerKind.SGD, 0, 0, false)
                .work(
                        task(0, 0, Map.of()),
                        Map.of(),
                        1,
                        (w, step) -> {
                            arrays.add(w);
                            return gradient(w, step);
                        });
        for (int i = 1; i < arrays.size(); i++) {
            assertThat(arrays.get(i)).isNotSameAs(arrays.get(i - 1));
        }
        Map<float[], Boolean> distinct = new IdentityHashMap<>();
        arrays.forEach(each -> distinct.put(each, true));
        assertThat(distinct).hasSize(3);
    }

    @Test
    void stepsOfADeviceAreItsOwn() {
        LocalWork work = work(6, OptimizerKind.SGD, 0, 0, false);
        assertThat(work.steps(0)).isEqualTo(1);
        assertThat(work.steps(1)).isEqualTo(6);
        assertThat(work.steps()).isEqualTo(6);
    }

    @Test
    void epochsAreWholeBatches() {
        assertThat(new LocalSteps.Epochs(1).count(100, 10)).isEqualTo(10);
        assertThat(new LocalSteps.Epochs(1).count(101, 10)).isEqualTo(11);
        assertThat(new LocalSteps.Epochs(2).count(3, 10)).isEqualTo(1);
        assertThat(new LocalSteps.Epochs(0.5).count(100, 10)).isEqualTo(5);
        assertThat(new LocalSteps.Steps(30).count(3, 10)).isEqualTo(30);
    }
}
