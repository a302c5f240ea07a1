package dev.levee.k8s.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

class ApportionmentTest {
    @Test
    void theLargestRemaindersGetWhatIsLeft() {
        assertThat(Apportionment.of(10, 32, 16)).containsExactly(7, 3); // 6.67 and 3.33
        assertThat(Apportionment.of(3, 5, 5)).containsExactly(2, 1);
        assertThat(Apportionment.of(1, 0, 4)).containsExactly(0, 1);
        assertThat(Apportionment.of(0, 1, 2)).containsExactly(0, 0);
    }

    @Test
    void partsAddUpAndNoneExceedsItsSize() {
        Random random = new Random(1);
        for (int i = 0; i < 1000; i++) {
            int[] sizes = random.ints(1 + random.nextInt(5), 0, 20).toArray();
            sizes[0]++;
            int sum = Arrays.stream(sizes).sum();
            int total = random.nextInt(sum + 1);
            int[] parts = Apportionment.of(total, sizes);
            assertThat(Arrays.stream(parts).sum()).isEqualTo(total);
            for (int p = 0; p < parts.length; p++) {
                assertThat(parts[p]).as("%d of %s", total, sizes).isBetween(0, sizes[p]);
                assertThat((double) parts[p])
                        .isBetween(
                                total * (double) sizes[p] / sum - 1,
                                total * (double) sizes[p] / sum + 1);
            }
        }
    }
}
