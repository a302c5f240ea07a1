package dev.levee.jobs.internal.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Rules;
import dev.levee.learners.FlatVector;
import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.learners.Score;
import dev.levee.learners.WrappedModel;
import dev.levee.operators.rounds.training.TrainingBuilder;

import org.junit.jupiter.api.Test;

import java.util.List;

class ModelResultsTest {
    private static final Model CLASSIFIER = Models.open("logistic", new int[] {1, 28, 28}, 10);

    /** A model of Python code that computes a loss only. */
    private record Unscored(Model model) implements WrappedModel {
        private static final long serialVersionUID = 1L;

        @Override
        public List<Score> scores() {
            return List.of();
        }
    }

    private static ModelResults results(Model model) {
        return ModelResults.of(
                new TrainingBuilder(
                                "known",
                                "strokes:?train=200&test=50",
                                model,
                                Rules.parse("average"),
                                5,
                                0)
                        .build(),
                "none",
                null);
    }

    @Test
    void aModelWithoutAccuracyPredictsNoClasses() {
        FlatVector parameters = FlatVector.of(new float[CLASSIFIER.layout().size()]);
        assertThat(results(CLASSIFIER).samples(parameters)).isNotEmpty();
        assertThat(results(new Unscored(CLASSIFIER)).samples(parameters)).isEmpty();
    }
}
