package dev.levee.operators.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Attacks;
import dev.levee.operators.rounds.coding.Coding;
import dev.levee.operators.rounds.coding.GradientCode;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;

/** Coded runs end with the same bits whoever is silent, lies or fails. */
@Tag("cluster")
class CodedTrainingTest {
    private static final int WORKERS = 6;
    private static final int FAILURES = 2;

    @RegisterExtension
    static final MiniClusterExtension CLUSTER =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(2)
                            .setNumberSlotsPerTaskManager(1)
                            .build());

    private static Training training(String name, int f, String attack, int attackers) {
        Coding coding = Coding.parse("fractional(2)");
        GradientCode code = coding.code(WORKERS, 1);
        return new TrainingBuilder(Trainings.logistic(WORKERS, f, "average", 12))
                .runId(name)
                .model(new Quadratic(2000, 100, name))
                .rule(Coding.rule(code, f))
                .work(Coding.work(code))
                .quorum(coding.quorum(WORKERS, f))
                .attack(attack == null ? null : Attacks.parse(attack), attackers)
                .batchSize(1)
                .evalInterval(6)
                .build();
    }

    private static float[] quiet() throws Exception {
        Quadratic.failures("codedQuiet", 0);
        return Restarts.run(training("codedQuiet", 0, null, 0), 2, false).parameters();
    }

    @ParameterizedTest
    @CsvSource({"0, silent, 2", "1, min-max, 1"})
    void failuresChangeNoBit(int f, String attack, int attackers) throws Exception {
        String name = "coded" + attackers;
        Quadratic.failures(name, FAILURES);
        RunResult disturbed = Restarts.run(training(name, f, attack, attackers), 2, false);
        assertThat(Quadratic.failuresLeft(name)).isZero();
        assertThat(disturbed.parameters()).isEqualTo(quiet());
    }

    @Test
    void copiesOfAShareTakeTheSameBatches() throws Exception {
        List<float[]> ends = new ArrayList<>();
        for (int silent : new int[] {0, 2}) {
            Training logistic =
                    new TrainingBuilder(
                                    training("codedData", 0, silent == 0 ? null : "silent", silent))
                            .model(Trainings.logistic(WORKERS, 0, "average", 1).model())
                            .rounds(6)
                            .batchSize(8)
                            .build();
            ends.add(Restarts.run(logistic, 2, false).parameters());
        }
        assertThat(ends.get(1)).isEqualTo(ends.get(0));
    }
}
