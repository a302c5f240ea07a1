package dev.levee.federated.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class CoverageTest {
    @Test
    void measuresHowFarWhatWasSeenIsFromBalance() {
        Coverage coverage = new Coverage(CensusTest.FOUR);
        assertThat(coverage.divergence()).isNaN();
        assertThat(coverage.classes()).isZero();

        coverage.add(new int[] {2});
        // Shares 0, 0, 0.3 and 0.7 of four classes
        assertThat(coverage.seen()).containsExactly(0, 0, 3, 7);
        assertThat(coverage.divergence())
                .isCloseTo(0.3 * Math.log(1.2) + 0.7 * Math.log(2.8), within(1e-12));
        assertThat(coverage.most()).isFalse();

        coverage.add(new int[] {0, 2});
        assertThat(coverage.seen()).containsExactly(8, 7, 11, 14);
        assertThat(coverage.classes()).isEqualTo(4);
        assertThat(coverage.most()).isTrue();
    }

    @Test
    void equalSharesAreBalance() {
        Coverage coverage = new Coverage(Census.of(new int[][] {{5, 5, 5}}));
        coverage.add(new int[] {0});
        assertThat(coverage.divergence()).isCloseTo(0, within(1e-15));
    }

    @Test
    void ninetyFivePercentOfTwentyClassesAreNineteen() {
        int[][] counts = new int[20][20];
        for (int device = 0; device < 20; device++) {
            counts[device][device] = 1;
        }
        Coverage coverage = new Coverage(Census.of(counts));
        for (int device = 0; device < 18; device++) {
            coverage.add(new int[] {device});
        }
        assertThat(coverage.most()).isFalse();
        coverage.add(new int[] {18});
        assertThat(coverage.most()).isTrue();
    }
}
