package dev.levee.operators.flink.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.gar.Attacks;
import dev.levee.gar.Rules;
import dev.levee.operators.placement.PipelineOrder;
import dev.levee.operators.rounds.fault.WrongTrainingException;
import dev.levee.operators.rounds.pipeline.PipelinedModel;
import dev.levee.operators.rounds.pipeline.StageId;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.testing.pipeline.TanhChain;

import org.junit.jupiter.api.Test;

import java.util.List;

class LoopJobTest {
    /** The first stage has two blocks and a part of the third, in which all stages meet. */
    private static final PipelinedModel MODEL =
            new PipelinedModel(
                    new TanhChain(List.of(784, 400, 20, 10, 4)),
                    List.of(0, 2, 3),
                    3,
                    PipelineOrder.ONE_FORWARD_ONE_BACKWARD,
                    false);

    private static LoopJob job(Training training) {
        return LoopJob.of(training, new InProcess(1), 128);
    }

    private static TrainingBuilder training() {
        return new TrainingBuilder(
                        "run",
                        "strokes:?train=600&test=200&seed=1",
                        MODEL,
                        Rules.parse("average"),
                        2,
                        0)
                .rounds(5);
    }

    @Test
    void aBlockGoesOnceToEachSubtaskWhoseStagesHaveParametersOfIt() {
        LoopJob job = job(training().build());
        StageId first = new StageId(0, 0);
        StageId second = new StageId(1, 0);
        StageId third = new StageId(2, 0);

        assertThat(job.hearing(1)).containsExactly(List.of(first), List.of(first), List.of(first));
        assertThat(job.hearing(3))
                .containsExactly(List.of(first), List.of(first), List.of(first, second, third));
        // Both workers have slots of their own.
        assertThat(job.hearing(6).get(0)).containsExactly(first, new StageId(0, 1));
    }

    @Test
    void anAttackOnACoordinateThatTheModelDoesNotHaveIsRefusedBeforeTheStart() {
        int size = MODEL.layout().size();
        TrainingBuilder run = training().workers(11).quorum(11);

        job(run.attack(Attacks.parse("bulyan-attack(coordinate=" + (size - 1) + ")"), 2).build());
        Training wrong =
                run.attack(Attacks.parse("bulyan-attack(coordinate=" + size + ")"), 2).build();
        assertThatThrownBy(() -> job(wrong))
                .isInstanceOf(WrongTrainingException.class)
                .hasMessage(
                        "attack: bulyan-attack: the coordinate must be below the rows' length,"
                                + " which is %s, got %s",
                        size, size);
    }

    @Test
    void workersThatNeedWholeModelsHaveNoStagesThatHearThem() {
        Training training = training().staleness(1).build();

        assertThat(training.blockwise()).isFalse();
        assertThat(job(training).hearing(3)).isEmpty();
    }
}
