package dev.levee.connectors.kafka.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.vector.FixedPoint;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

class SumMasksTest {
    private static final int LENGTH = 5000;
    private static final Cohort COHORT = Cohort.of(0, 2, 5);

    @TempDir static Path directory;
    private static KeyDirectory keys;

    @BeforeAll
    static void generate() throws IOException {
        keys = new KeyDirectory(directory);
        for (int id : COHORT.ids()) {
            keys.generate(KeyDirectory.name(id));
        }
    }

    /** Two blocks: the device's number everywhere, and half of it. */
    private static List<GradientBlock> sent(int id, long round) {
        float[] first = new float[LENGTH];
        float[] second = new float[3];
        Arrays.fill(first, id);
        Arrays.fill(second, id / 2f);
        return List.of(block(id, round, 0, first), block(id, round, 1, second));
    }

    private static GradientBlock block(int id, long round, int block, float[] values) {
        return new GradientBlock(
                Header.gradient(4, round, id, new ShardId(0, block)), 0.5, 10, 20, values);
    }

    private static SumMasks masks(int id) {
        return new SumMasks(id, keys.signing(KeyDirectory.name(id)), keys);
    }

    private static int integer(List<GradientBlock> blocks, int block, int i) {
        return Float.floatToRawIntBits(blocks.get(block).values()[i]);
    }

    @Test
    void theSumShedsThem() {
        List<List<GradientBlock>> all =
                List.of(
                        masks(0).over(sent(0, 7), COHORT),
                        masks(2).over(sent(2, 7), COHORT),
                        masks(5).over(sent(5, 7), COHORT));
        for (int i = 0; i < LENGTH; i++) {
            int sum = 0;
            for (List<GradientBlock> each : all) {
                sum += integer(each, 0, i);
            }
            assertThat(sum).isEqualTo(FixedPoint.of(7));
        }
        int sum = 0;
        for (List<GradientBlock> each : all) {
            sum += integer(each, 1, 2);
        }
        assertThat(sum).isEqualTo(FixedPoint.of(3.5f));
    }

    @Test
    void oneAloneSaysNothing() {
        List<GradientBlock> masked = masks(2).over(sent(2, 7), COHORT);
        assertThat(masked.get(0).header().encoding()).isEqualTo(Header.MASKED);
        // Bits of the same number, over and over, are half ones: within five standard deviations.
        int ones = 0;
        for (int i = 0; i < LENGTH; i++) {
            ones += Integer.bitCount(integer(masked, 0, i));
        }
        assertThat(ones - 16 * LENGTH).isBetween(-1000, 1000);
        List<GradientBlock> next = masks(2).over(sent(2, 8), COHORT);
        assertThat(integer(next, 0, 0)).isNotEqualTo(integer(masked, 0, 0));
    }

    @Test
    void theSameRoundHasTheSameMasks() {
        SumMasks masks = masks(2);
        assertThat(masks.over(sent(2, 7), COHORT).get(1).values())
                .isEqualTo(masks.over(sent(2, 7), COHORT).get(1).values());
    }

    @Test
    void nobodyIsUnmaskedByBeingAskedAlone() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> masks(2).over(sent(2, 7), Cohort.of(2)))
                .withMessage(
                        "the job asks 1 for a secure sum, which needs at least 3 devices to hide a"
                                + " contribution");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> masks(2).over(sent(2, 7), Cohort.of(2, 5)));
    }

    @Test
    void whoseKeyIsMissingIsSaid() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> masks(2).over(sent(2, 7), Cohort.of(1, 2, 5)))
                .withMessage(
                        "--keys %s has no w1.pub: a secure sum needs the public keys of all devices",
                        directory);
    }
}
