package dev.levee.operators.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Attacks;
import dev.levee.operators.rounds.plan.Reputation;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.util.List;

/** Who is left out, and for how long, is remembered whatever fails meanwhile. */
@Tag("cluster")
class ReputationTest {
    private static final int ROUNDS = 60;

    @RegisterExtension
    static final MiniClusterExtension CLUSTER =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(2)
                            .setNumberSlotsPerTaskManager(1)
                            .build());

    /** Workers 5 and 6 send NaN whenever they are asked. */
    private static Training training(String name) {
        return new TrainingBuilder(Trainings.logistic(7, 2, "multi-krum", ROUNDS))
                .runId(name)
                .model(new Unsteady(new Quadratic(140_000, 1000), name))
                .attack(Attacks.parse("nan"), 2)
                .batchSize(1)
                .plan(new Reputation(2, 5))
                .build();
    }

    private static RunResult run(String name, int failures) throws Exception {
        return Restarts.disturbed(name, failures, training(name), 2);
    }

    @Test
    void failuresChangeNeitherWhoIsLeftOutNorABit() throws Exception {
        RunResult quiet = run("quiet", 0);
        RunResult disturbed = run("disturbed", 5);
        assertThat(disturbed.parameters()).isEqualTo(quiet.parameters());
        assertThat(workers(disturbed)).isEqualTo(workers(quiet));
        // Two rounds until both are out for five, and then one each time that they come back.
        assertThat(workers(quiet).subList(0, 15))
                .containsExactly(7, 7, 5, 5, 5, 5, 5, 7, 5, 5, 5, 5, 5, 7, 5);
        assertThat(quiet.rounds())
                .allSatisfy(
                        round -> {
                            boolean all = round.workers() == 7;
                            assertThat(round.f()).isEqualTo(all ? 2 : 0);
                            assertThat(round.faults())
                                    .containsExactly(all ? new int[] {5, 6} : new int[0]);
                            assertThat(round.rows()).containsExactly(0, 1, 2, 3, 4);
                        });
    }

    private static List<Integer> workers(RunResult result) {
        return result.rounds().stream().map(RoundReport::workers).toList();
    }
}
