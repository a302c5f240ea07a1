package dev.levee.federated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.operators.flink.Restarts;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.vector.Slices;
import dev.levee.operators.testing.Disturbances;
import dev.levee.operators.testing.DrivenRun;
import dev.levee.operators.testing.LearnedGradients;
import dev.levee.operators.testing.driver.RoundDriver;

import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;

import java.util.function.Function;

/**
 * A run whose learners failed now and then beside the same one that nobody disturbed, both on the
 * cluster of the test.
 *
 * @param calm the run that nobody disturbed
 * @param disturbed what the other came to
 * @param quiet what the calm one came to
 */
record Recovered(Training calm, RunResult disturbed, RunResult quiet) {
    static MiniClusterExtension cluster() {
        return new MiniClusterExtension(
                new MiniClusterResourceConfiguration.Builder()
                        .setNumberTaskManagers(2)
                        .setNumberSlotsPerTaskManager(1)
                        .build());
    }

    /**
     * Runs both, and checks that they end with the same bits after as many rounds.
     *
     * @param failures of the first, all of which have to happen
     * @param trainings of a key of {@link dev.levee.operators.flink.Unsteady}
     */
    static Recovered of(int failures, Function<String, Training> trainings) throws Exception {
        RunResult disturbed = Restarts.disturbed("often", failures, trainings.apply("often"), 2);
        Training calm = trainings.apply("never");
        RunResult quiet = Restarts.run(calm, 2);
        assertThat(disturbed.parameters()).isEqualTo(quiet.parameters());
        assertThat(disturbed.scores()).isEqualTo(quiet.scores());
        assertThat(disturbed.rounds()).hasSize(Math.toIntExact(calm.rounds()));
        return new Recovered(calm, disturbed, quiet);
    }

    /** Checks that the protocol alone comes to the same bits, whatever disturbs it. */
    DrivenRun driven(long seed, Slices slices, Disturbances disturbances) throws Exception {
        try (LearnedGradients gradients = new LearnedGradients(calm)) {
            DrivenRun driven =
                    RoundDriver.of(calm, seed)
                            .slices(slices)
                            .gradients(gradients)
                            .disturbances(disturbances)
                            .run();
            assertThat(driven.parameters()).isEqualTo(quiet.parameters());
            return driven;
        }
    }
}
