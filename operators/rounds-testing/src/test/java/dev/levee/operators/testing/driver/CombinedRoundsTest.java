package dev.levee.operators.testing.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Attacks;
import dev.levee.gar.Rules;
import dev.levee.learners.Gradient;
import dev.levee.operators.rounds.training.Admission;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.rounds.vector.Slices;
import dev.levee.operators.testing.Disturbances;
import dev.levee.operators.testing.DrivenRun;
import dev.levee.operators.testing.fuzz.Quadratics;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Arrays;

/**
 * Gradients of each subtask are added up before they reach the shards of a model of four blocks.
 */
class CombinedRoundsTest {
    private static final int WORKERS = 9;
    private static final Quadratics PROBLEM = new Quadratics(6, 1, 5, 0, 0);
    private static final Slices SLICES = new Slices(7, 6, 2);
    private static final Disturbances ROUGH = Disturbances.delays(3000).withCrashes(0.02, 0.01, 5);

    private static TrainingBuilder training() {
        return new TrainingBuilder(
                        "combined", "inline:", PROBLEM, Rules.parse("average"), WORKERS, 0)
                .batchSize(4)
                .rounds(10)
                .combined(true);
    }

    private static DrivenRun run(
            Training training, Disturbances disturbances, int subtasks, long seed) {
        return RoundDriver.of(training, seed)
                .gradients(PROBLEM)
                .slices(SLICES)
                .disturbances(disturbances)
                .subtasks(subtasks)
                .run();
    }

    @Test
    void theModelHasTheSameBitsInWhateverGroupsGradientsAreAddedUp() {
        Training alone = training().combined(false).rowsHeld(0).build();
        float[] expected = run(alone, Disturbances.NONE, 1, 1).parameters();
        int restores = 0;
        for (long seed = 1; seed <= 60; seed++) {
            Training training = training().rowsHeld((int) seed % 3 * 32).build();
            DrivenRun run = run(training, ROUGH, 1 + (int) seed % 5, seed);
            assertThat(run.parameters()).as("seed %d", seed).isEqualTo(expected);
            restores += run.restores();
        }
        assertThat(restores).isPositive();
    }

    @Test
    void treesOfSumsChangeNoBitHoweverOftenTheyChange() {
        Training alone = training().combined(false).rowsHeld(0).build();
        float[] expected = run(alone, Disturbances.NONE, 1, 1).parameters();
        int restores = 0;
        for (long seed = 1; seed <= 60; seed++) {
            Training training = training().fanIn(1 + (int) seed % 3).build();
            DrivenRun run = run(training, ROUGH, 2 + (int) seed % 5, seed);
            assertThat(run.parameters()).as("seed %d", seed).isEqualTo(expected);
            restores += run.restores();
        }
        assertThat(restores).isPositive();
    }

    /** The invariants check which rows a round has, and that the model follows from them. */
    @Test
    void aRoundWithAQuorumHasAllOfAPartialSumOrNothing() {
        for (long seed = 1; seed <= 40; seed++) {
            int fanIn = seed % 2 == 0 ? Admission.ALL : 2;
            Training training = training().quorum(4).rowsHeld((int) seed % 3).fanIn(fanIn).build();
            DrivenRun run = run(training, ROUGH, 1 + (int) seed % 4, seed);
            assertThat(run.rounds()).as("seed %d", seed).hasSize(10);
        }
    }

    @Test
    void whoeverIsSilentOrSendsNaNIsStillAtFault() {
        Training silent =
                training()
                        .byzantine(2)
                        .rule(Rules.parse("average"))
                        .attack(Attacks.parse("silent"), 2)
                        .roundTimeout(Duration.ofSeconds(60))
                        .build();
        for (long seed = 1; seed <= 10; seed++) {
            DrivenRun run = run(silent, Disturbances.delays(3000), 3, seed);
            assertThat(run.rounds()).allSatisfy(round -> assertThat(round.faults()).hasSize(2));
        }
        Training broken = training().byzantine(1).rule(Rules.parse("average")).build();
        for (long seed = 1; seed <= 10; seed++) {
            DrivenRun run =
                    RoundDriver.of(broken, seed)
                            .gradients(
                                    task -> {
                                        Gradient gradient = PROBLEM.gradient(task);
                                        if (task.worker() == 4) {
                                            Arrays.fill(gradient.values(), Float.NaN);
                                        }
                                        return gradient;
                                    })
                            .slices(SLICES)
                            .disturbances(ROUGH)
                            .subtasks(2)
                            .run();
            assertThat(run.rounds())
                    .allSatisfy(round -> assertThat(round.faults()).containsExactly(4));
        }
    }
}
