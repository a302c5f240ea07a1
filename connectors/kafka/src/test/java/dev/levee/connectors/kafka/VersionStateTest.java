package dev.levee.connectors.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.gar.RuleState;
import dev.levee.operators.rounds.CoordinatorMemory;
import dev.levee.operators.rounds.RoundReport;
import dev.levee.operators.rounds.WorkerCounts;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

class VersionStateTest {
    private static final VersionState WHOLE =
            new VersionState(
                    12,
                    new float[][] {{1, Float.NaN}, {-0f, 3}},
                    new float[] {4},
                    new CoordinatorMemory(
                            9,
                            new RuleState(new double[] {0.1, 7}),
                            List.of(
                                    new WorkerCounts(0, 5, 4, new long[] {1, 0, 2}),
                                    new WorkerCounts(-1, 0, 0, new long[] {0, 0, 8})),
                            new RoundReport(
                                    8,
                                    1000,
                                    Double.NaN,
                                    new double[0],
                                    0.25,
                                    0.1,
                                    16,
                                    new int[] {0, 1, 2},
                                    new int[] {1},
                                    new int[] {3})));

    @Test
    void comesBackAsItWas() {
        VersionState read = VersionState.of(WHOLE.bytes());
        assertThat(read.bytes()).isEqualTo(WHOLE.bytes());
        assertThat(read.submitted()).isEqualTo(12);
        assertThat(read.moments()[1]).containsExactly(-0f, 3);
        assertThat(read.previous()).containsExactly(4);
        assertThat(read.memory().version()).isEqualTo(9);
        assertThat(read.memory().counts().get(1).rejected()).containsExactly(0, 0, 8);
        assertThat(read.memory().last().faults()).containsExactly(3);
        VersionState plain = new VersionState(3, new float[0][], null, null);
        assertThat(VersionState.of(plain.bytes())).usingRecursiveComparison().isEqualTo(plain);
    }

    @Test
    void refusesAnythingElseCleanly() {
        byte[] good = WHOLE.bytes();
        for (int length = 0; length < good.length; length++) {
            byte[] cut = Arrays.copyOf(good, length);
            assertThatThrownBy(() -> VersionState.of(cut))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 100_000; i++) {
            byte[] mutated = good.clone();
            mutated[random.nextInt(mutated.length)] ^= (byte) (1 << random.nextInt(8));
            try {
                VersionState.of(mutated);
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageContaining("state");
            }
        }
    }
}
