package dev.levee.learners;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("native")
class NetworkLearnerTest {
    @Test
    void mnistCnnLearns() {
        Samples samples = Samples.of(new int[] {1, 28, 28}, 10, 300, 3);
        Model model = Models.open("mnist-cnn", samples.shape(), 10);
        float[] parameters = model.initialParameters(1);
        try (Learner learner = model.newLearner()) {
            double before = learner.evaluate(parameters, samples).loss();
            assertThat(learner.gradient(parameters, samples.all(), 0).loss())
                    .isCloseTo(before, within(1e-6));
            for (int step = 0; step < 20; step++) {
                float[] gradient = learner.gradient(parameters, samples.all(), step).values();
                parameters = parameters.clone();
                for (int i = 0; i < parameters.length; i++) {
                    parameters[i] -= 0.1f * gradient[i];
                }
            }
            Evaluation after = learner.evaluate(parameters, samples);
            assertThat(after.loss()).isLessThan(before / 10);
            assertThat(after.accuracy()).isGreaterThan(0.97);
        }
    }
}
