package dev.levee.gar;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.HashSet;
import java.util.Set;

class DrawsTest {
    /** The bits of key 0 are the published sequence of splitmix64 with seed 0. */
    @Test
    void bitsAreSplitmix64() {
        assertThat(Draws.bits(0, 0)).isEqualTo(0xE220A8397B1DCDAFL);
        assertThat(Draws.bits(0, 1)).isEqualTo(0x6E789E6AA1B965F4L);
        assertThat(Draws.bits(0, 2)).isEqualTo(0x06C45D188009454FL);
    }

    /** So that a run can be repeated after an update. */
    @Test
    void drawsNeverChange() {
        long key = Draws.key(42, 3, 1);
        assertThat(key).isEqualTo(Draws.key(42, 3, 1));
        assertThat(Draws.uniform(0, 0)).isEqualTo(0.8833108082136426);
        assertThat(Draws.uniformFloat(0, 0)).isEqualTo(0.8833108f);
    }

    @Test
    void keysDependOnEachPartAndItsPlace() {
        Set<Long> keys = new HashSet<>();
        for (long a = -3; a < 30; a++) {
            for (long b = -3; b < 30; b++) {
                keys.add(Draws.key(a, b));
                keys.add(Draws.key(a, b, 0));
            }
        }
        assertThat(keys).hasSize(2 * 33 * 33);
    }

    @Test
    void drawsHaveTheirDistributions() {
        long key = Draws.key(1);
        int count = 100_000;
        double uniform = 0;
        double mean = 0;
        double square = 0;
        double fourth = 0;
        double along = 0;
        double before = 0;
        for (int i = 0; i < count; i++) {
            double u = Draws.uniform(key, i);
            assertThat(u >= 0 && u < 1).isTrue();
            float single = Draws.uniformFloat(key, i);
            assertThat(single >= 0 && single < 1).isTrue();
            uniform += u / count;
            double x = Draws.normal(key, i);
            mean += x / count;
            square += x * x / count;
            fourth += x * x * x * x / count;
            along += x * before / count;
            before = x;
        }
        assertThat(uniform).isBetween(0.495, 0.505);
        assertThat(mean).isBetween(-0.015, 0.015);
        assertThat(square).isBetween(0.98, 1.02);
        assertThat(fourth).isBetween(2.9, 3.1);
        assertThat(along).isBetween(-0.015, 0.015);
    }
}
