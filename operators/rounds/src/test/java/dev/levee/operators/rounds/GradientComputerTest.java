package dev.levee.operators.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.connectors.data.Batch;
import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.gar.Rules;
import dev.levee.learners.Evaluation;
import dev.levee.learners.Gradient;
import dev.levee.learners.Layout;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.learners.Models;

import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

class GradientComputerTest {
    private static final String DATA = "strokes:?train=600&test=200&seed=1";

    private record Computed(Work.Result result, Effort effort) {}

    /** Logistic regression that has memory for so many samples. */
    private record Hungry(Model model, int most) implements Model {
        @Override
        public String name() {
            return model.name();
        }

        @Override
        public Layout layout() {
            return model.layout();
        }

        @Override
        public float[] initialParameters(long seed) {
            return model.initialParameters(seed);
        }

        @Override
        public Learner newLearner() {
            Learner learner = model.newLearner();
            return new Learner() {
                @Override
                public Gradient gradient(float[] parameters, Batch batch, long seed) {
                    if (batch.size() > most) {
                        throw new OutOfMemoryError("no room for " + batch.size());
                    }
                    return learner.gradient(parameters, batch, seed);
                }

                @Override
                public long workingSet() {
                    return learner.workingSet();
                }

                @Override
                public Evaluation evaluate(float[] parameters, Dataset data) {
                    return learner.evaluate(parameters, data);
                }

                @Override
                public void close() {
                    learner.close();
                }
            };
        }
    }

    private static Computed compute(int most, int batch) throws Exception {
        return compute(most, batch, new Elasticity(1, 2, 1000, 0, 0.1, null));
    }

    private static Computed compute(int most, int batch, Plan plan) throws Exception {
        Dataset data = Datasets.open(DATA, Datasets.Split.TRAIN);
        Model model = new Hungry(Models.open("logistic", data.shape(), data.classes()), most);
        Training training =
                new TrainingBuilder("testrun1", DATA, model, Rules.parse("average"), 1, 0)
                        .plan(plan)
                        .build();
        CompletableFuture<Computed> result = new CompletableFuture<>();
        GradientComputer.Done done =
                new GradientComputer.Done() {
                    @Override
                    public void computed(Workers.Task task, Work.Result made, Effort effort) {
                        result.complete(new Computed(made, effort));
                    }

                    @Override
                    public void failed(Workers.Task task, Throwable cause) {
                        result.completeExceptionally(cause);
                    }
                };
        try (GradientComputer computer = new GradientComputer(training, "a test", done)) {
            Settings settings = new Settings(Cohort.first(1), 0, 1, batch, 0.1, false, false, 0);
            float[] parameters = model.initialParameters(1);
            computer.start(new Workers.Task(0, 0, 0, settings, parameters, 0, Map.of(), 0));
            return result.get(1, TimeUnit.MINUTES);
        }
    }

    @Test
    void aBatchThatDoesNotFitIsHalvedUntilItDoes() throws Exception {
        Computed all = compute(12, 12);
        assertThat(all.effort().samples()).isEqualTo(12);
        assertThat(all.effort().nanos()).isPositive();
        // Batch and its transpose, 28 × 28 floats a sample, are most of it.
        assertThat(all.effort().bytes()).isGreaterThan(2L * 12 * 28 * 28 * Float.BYTES);

        Computed part = compute(12, 40);
        assertThat(part.effort().samples()).isEqualTo(10);
        assertThat(part.result().values()).isEqualTo(compute(12, 10).result().values());
    }

    @Test
    void whereNotEvenOneSampleFitsTheRunFails() {
        assertThatThrownBy(() -> compute(0, 4)).hasCauseInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void aRunThatStaysAsItStartsDoesNotMakeDoWithLess() {
        assertThatThrownBy(() -> compute(12, 40, Plan.FIXED))
                .hasCauseInstanceOf(OutOfMemoryError.class);
    }
}
