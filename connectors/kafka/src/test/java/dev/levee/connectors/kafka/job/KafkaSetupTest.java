package dev.levee.connectors.kafka.job;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.versions.NewestVersion;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.Frames;
import dev.levee.gar.RuleState;
import dev.levee.gar.Rules;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.coordinator.CoordinatorMemory;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.plan.Reputation;
import dev.levee.operators.rounds.training.PlanState;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/** A run continues from what was published with its newest version. */
class KafkaSetupTest {
    private static TrainingBuilder training() {
        return new TrainingBuilder(
                "01234567",
                "strokes:",
                Models.open("logistic", new int[] {1, 28, 28}, 10),
                Rules.parse("median"),
                5,
                2);
    }

    private static void check(Training training, int vectors, double... plan) {
        VersionState state =
                new VersionState(
                        1,
                        new float[vectors][1],
                        null,
                        new CoordinatorMemory(
                                12, RuleState.NONE, List.of(), null, new PlanState(plan)));
        byte[] frame =
                Frames.ofState(Header.model(7, 12, new ShardId(0, 0)), 1, state.bytes(), null);
        KafkaSetup.check(
                new NewestVersion.Found(
                        7, 12, List.of(Frame.read(frame).orElseThrow()), 0, Map.of()),
                new Topics("run"),
                training);
    }

    @Test
    void refusesAnOptimizerOfWhichVectorsAreMissing() {
        Training adam = training().optimizer(Optimizer.of(OptimizerKind.ADAM, 0)).build();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> check(adam, 0))
                .withMessage(
                        "run run cannot continue from version 12: it has 0 vectors of an optimizer,"
                                + " and this one needs 2; use the run's options, pass --new to"
                                + " start over, or another --run to keep it");
        check(adam, 2);
        check(training().build(), 1);
    }

    @Test
    void refusesAReputationOfOtherWorkers() {
        Training judging = training().plan(new Reputation(1, 3)).build();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> check(judging, 0, new double[2 * 6 + 1]))
                .withMessageStartingWith(
                        "run run cannot continue from version 12: its reputation is of 6 workers,"
                                + " got 5; use the run's options, ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> check(judging, 0))
                .withMessageContaining(
                        ": the version does not determine whom reputation excludes;");
        check(judging, 0, new double[2 * 5 + 1]);
        check(training().build(), 0);
    }
}
