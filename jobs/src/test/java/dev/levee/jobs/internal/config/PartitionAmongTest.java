package dev.levee.jobs.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.levee.connectors.data.Partition;

import org.junit.jupiter.api.Test;

import java.util.Arrays;

class PartitionAmongTest {
    /** A hundred labels of each of ten classes. */
    private static int[] thousand() {
        int[] labels = new int[1000];
        Arrays.setAll(labels, i -> i % 10);
        return labels;
    }

    @Test
    void aSeedOfItsOwnReplacesThatOfTheRun() {
        Partition gamma = Partition.parse("gamma(0.5)");
        Partition seeded = new PartitionAmong.Dealt(gamma, 7L, 0);
        assertThat(seeded.name()).isEqualTo(gamma.name());
        assertThat(seeded.deal(thousand(), 10, 4, 1))
                .isDeepEqualTo(seeded.deal(thousand(), 10, 4, 2))
                .isDeepEqualTo(gamma.deal(thousand(), 10, 4, 7));
    }

    @Test
    void attackersHoldCopiesIfHonestWorkersGetEverything() {
        Partition byClass = Partition.parse("by-class");
        Partition among = new PartitionAmong.Dealt(byClass, null, 3);
        int[][] shares = among.deal(thousand(), 10, 5, 1);
        assertThat(Arrays.copyOf(shares, 2)).isDeepEqualTo(byClass.deal(thousand(), 10, 2, 1));
        assertThat(shares[2]).isSameAs(shares[0]);
        assertThat(shares[3]).isSameAs(shares[1]);
        assertThat(shares[4]).isSameAs(shares[0]);
        assertThat(among.heldOut(thousand(), 10, 5, 1)).isDeepEqualTo(new int[5][0]);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> among.deal(thousand(), 10, 3, 1))
                .withMessage(
                        "samples are distributed only to honest workers, but all 3 workers"
                                + " attack");
    }
}
