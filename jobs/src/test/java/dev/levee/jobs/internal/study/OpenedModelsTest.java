package dev.levee.jobs.internal.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.learners.Model;
import dev.levee.learners.Task;

import org.junit.jupiter.api.Test;

class OpenedModelsTest {
    @Test
    void opensAModelOncePerShapeAndTask() {
        OpenedModels models = new OpenedModels();
        Model model = models.open("logistic", new int[] {2, 2}, Task.classification(3));
        assertThat(models.open("logistic", new int[] {2, 2}, Task.classification(3)))
                .isSameAs(model);
        assertThat(models.open("logistic", new int[] {4}, Task.classification(3)))
                .isNotSameAs(model);
        assertThat(models.open("logistic", new int[] {2, 2}, Task.classification(4)))
                .isNotSameAs(model);
    }
}
