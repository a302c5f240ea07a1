package dev.levee.federated.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.connectors.data.Partition;
import dev.levee.federated.CarryingModel;
import dev.levee.federated.FederatedRun;
import dev.levee.federated.FederatedRuns;
import dev.levee.federated.Federation;
import dev.levee.federated.LocalTraining;
import dev.levee.federated.LocalWork;
import dev.levee.federated.Upload;
import dev.levee.federated.devices.Participation;
import dev.levee.federated.devices.Sampling;
import dev.levee.federated.devices.Weighting;
import dev.levee.federated.privacy.Privacy;
import dev.levee.learners.Gradient;
import dev.levee.learners.Layout;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.learners.Segment;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.Work;
import dev.levee.operators.testing.GradientSource;
import dev.levee.operators.testing.driver.RoundDriver;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/** Local AdaAlter with a step size of one half, by hand. */
class AdaAlterTest {
    private static final int[] SAMPLES = {1, 2, 3};

    private static LocalTraining local(Optimizer optimizer, LocalState state) {
        return new LocalTraining(
                new LocalSteps.Steps(2),
                false,
                optimizer,
                LearningRate.parse("constant", 0.5, 10),
                0,
                state);
    }

    private static Federation federation(Optimizer optimizer, LocalState state) {
        return new Federation(
                new Participation(Sampling.parse("uniform"), 2, Weighting.EQUAL),
                local(optimizer, state),
                ServerSteps.parse("sgd", 1));
    }

    /**
     * x = 8 and h = 3 with ε = 1, so that both steps divide by 2: 8 → 6 → 4.5 along the gradient w,
     * while h′ = 3 + 64 + 36.
     */
    @Test
    void stepsDivideByWhatTheRoundBeganWith() {
        LocalWork work =
                new LocalWork(
                        local(new AdaAlter(1), LocalState.AVERAGE),
                        new int[] {2},
                        new double[] {1},
                        Privacy.NONE,
                        5,
                        new Upload.Difference(),
                        false);
        float[] start = {8, 0, 3};
        Settings settings = new Settings(Cohort.of(0), 0, 1, 4, 1, false, false, 0);
        Work.Task task = new Work.Task(0, 0, 7, settings, start, 56, Map.of(), 0);
        Work.Result result =
                work.work(
                        task,
                        Map.of(),
                        1,
                        (w, step) -> new Gradient(new float[] {w[0], w[1] + 1, 0}, 0));
        assertThat(result.values()).containsExactly(3.5f, 2, 103);
        assertThat(result.vectors()).isEmpty();
        assertThat(start).containsExactly(8, 0, 3);
    }

    /** Adam's two moments travel; its steps are counted from the first round. */
    @Test
    void otherOptimizersHaveTheirVectorsAveragedToo() {
        assertThat(local(Optimizer.of(OptimizerKind.ADAM, 0), LocalState.AVERAGE).carried())
                .isEqualTo(2);
        assertThat(local(new AdaAlter(1), LocalState.AVERAGE).carried()).isEqualTo(1);
        assertThat(local(Optimizer.of(OptimizerKind.ADAM, 0), LocalState.KEEP).carried()).isZero();
    }

    /** A model of one parameter that begins at 8. */
    private record Point() implements Model {
        @Override
        public String name() {
            return "point";
        }

        @Override
        public Layout layout() {
            return new Layout(List.of(new Segment("x", new long[] {1}, 0, true)));
        }

        @Override
        public float[] initialParameters(long seed) {
            return new float[] {8};
        }

        @Override
        public Learner newLearner() {
            throw new UnsupportedOperationException("its gradients come from elsewhere");
        }
    }

    /** Device 0 has the gradient w; device 1 has 12 in its first step and 4 in its second. */
    private record Two() implements GradientSource {
        @Override
        public Gradient gradient(Work.Task task) {
            return gradient(task, task.parameters(), 0);
        }

        @Override
        public Gradient gradient(Work.Task task, float[] parameters, int step) {
            float own = step == 0 ? 12 : 4;
            return new Gradient(new float[] {task.worker() == 0 ? parameters[0] : own, 0}, 0);
        }
    }

    /**
     * ε = 1, h = 0: device 0 goes 8 → 4 → 2 with h′ = 80, device 1 goes 8 → 2 → 0 with h′ = 160. So
     * x = 1 and h = 120, and the second round divides by 11: 1 → 21/22 → 441/484 with h′ = 121 +
     * 441/484, and 1 → 5/11 → 3/11 with h′ = 280.
     */
    @Test
    void roundsAverageModelsAndDenominators() {
        assertThat(run(1)).containsExactly(1, 120);
        float[] second = run(2);
        assertThat(second[0]).isCloseTo((441 / 484f + 3 / 11f) / 2, within(1e-6f));
        assertThat(second[1]).isCloseTo((121 + 441 / 484f + 280) / 2, within(1e-4f));
    }

    private static float[] run(long rounds) {
        Training training =
                federation(new AdaAlter(1), LocalState.AVERAGE)
                        .of(
                                FederatedRuns.run(rounds)
                                        .workers(2)
                                        .partition(Partition.parse("iid"))
                                        .model(new Point())
                                        .build());
        assertThat(FederatedRun.model(training)).isEqualTo(new Point());
        return RoundDriver.of(training, 1).gradients(new Two()).run().parameters();
    }

    @Test
    void theModelDoesNotSeeWhatItsVectorCarries() {
        Dataset data = Datasets.open(FederatedRuns.DATA, Datasets.Split.TRAIN);
        Model own = Models.open("logistic", data.shape(), data.classes());
        Model carrying = new CarryingModel(own, 2);
        int size = own.layout().size();
        int trainable = own.layout().trainable();
        assertThat(carrying.layout().size()).isEqualTo(size + 2 * trainable);
        assertThat(carrying.layout().trainable()).isEqualTo(trainable);
        float[] parameters = carrying.initialParameters(4);
        assertThat(parameters).startsWith(own.initialParameters(4));
        parameters[size] = 9;
        try (Learner within = carrying.newLearner();
                Learner alone = own.newLearner()) {
            Gradient gradient = alone.gradient(own.initialParameters(4), data.batch(SAMPLES), 1);
            Gradient longer = within.gradient(parameters, data.batch(SAMPLES), 1);
            assertThat(longer.values()).startsWith(gradient.values()).hasSize(parameters.length);
            assertThat(within.evaluate(parameters, data))
                    .isEqualTo(alone.evaluate(own.initialParameters(4), data));
        }
    }

    @Test
    void whatCannotBeAveragedIsRefused() {
        Training run = FederatedRuns.run(2).workers(2).build();
        assertThatThrownBy(() -> federation(new AdaAlter(1), LocalState.KEEP).check(run))
                .hasMessage(
                        "localState must be average for localOptimizer adaalter, whose "
                                + "rounds start with the same denominators on all devices, got keep");
        Optimizer sgd = Optimizer.of(OptimizerKind.SGD, 0);
        assertThatThrownBy(() -> federation(sgd, LocalState.AVERAGE).check(run))
                .hasMessageStartingWith("localState average needs a localOptimizer");
        assertThatThrownBy(() -> new AdaAlter(0)).hasMessage("ε must be a number above 0, got 0.0");
    }
}
