package dev.levee.operators.rounds.participant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.data.ArrayDataset;
import dev.levee.connectors.data.Dataset;

import org.junit.jupiter.api.Test;

import java.util.Arrays;

class TestSharesTest {
    private static Dataset samples(int... labels) {
        return new ArrayDataset(new float[labels.length][1], labels, new int[] {1}, 3);
    }

    /** Six test samples for twelve: of four and two, two and one; of one, at least one. */
    @Test
    void eachClassHasTheProportionOfTheShare() {
        Dataset data = samples(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2);
        Dataset test = samples(0, 1, 0, 1, 1, 2);
        int[][] shares = {{0, 1, 2, 3, 4, 5}, {8}, {8, 9, 10, 11}};
        for (long seed = 0; seed < 20; seed++) {
            int[][] parts = TestShares.of(data, shares, test, seed);
            assertThat(labels(test, parts[0])).containsExactly(0, 0, 1);
            assertThat(labels(test, parts[1])).containsExactly(2);
            // There is but one test sample of class 2.
            assertThat(labels(test, parts[2])).containsExactly(2);
            assertThat(parts[0]).doesNotHaveDuplicates();
            assertThat(TestShares.of(data, shares, test, seed)).isDeepEqualTo(parts);
        }
    }

    private static int[] labels(Dataset test, int[] part) {
        return Arrays.stream(part).map(test::label).toArray();
    }
}
