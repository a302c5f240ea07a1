package dev.levee.connectors.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.levee.connectors.data.Datasets.Split;

import org.junit.jupiter.api.Test;

import java.util.Arrays;

class InlineRowsTest {
    @Test
    void readsBackWhatWasWrittenBitForBit() {
        float[][] features = {{1.5f, -0f, Float.MIN_VALUE}, {3f, 1e30f, -7.25f}};
        Dataset data = Datasets.open(Datasets.inline(features, new int[] {2, 0}, 3), Split.TRAIN);
        assertThat(data.size()).isEqualTo(2);
        assertThat(data.shape()).containsExactly(3);
        assertThat(data.classes()).isEqualTo(3);
        for (int i = 0; i < 2; i++) {
            float[] out = {9f, 0f, 0f, 0f, 9f};
            data.read(i, out, 1);
            assertThat(out).containsExactly(9f, features[i][0], features[i][1], features[i][2], 9f);
        }
        assertThat(data.label(0)).isEqualTo(2);
        assertThat(data.label(1)).isZero();
    }

    @Test
    void aSampleWrittenByHandIsAddressedAsBigEndianWords() {
        // Label 1 is 00000001, 1.0 is 3f800000.
        assertThat(Datasets.inline(new float[][] {{1f}}, new int[] {1}, 2))
                .isEqualTo("rows:AAAAAT+AAAA=?features=1&classes=2");
    }

    @Test
    void refusesWhatIsNoTableInOneSentence() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Datasets.inline(new float[0][], new int[0], 2))
                .withMessage(
                        "a data set needs at least one sample and a label for each, got 0 samples and 0 labels");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Datasets.inline(new float[][] {{1f}}, new int[] {0, 1}, 2))
                .withMessageContaining("got 1 samples and 2 labels");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> Datasets.inline(new float[][] {{1f}, {1f, 2f}}, new int[] {0, 1}, 2))
                .withMessage("all samples must have 1 features, sample 1 has 2");
        float[][] large = new float[5][];
        Arrays.fill(large, new float[1 << 20]);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Datasets.inline(large, new int[5], 2))
                .withMessageContaining("write them to files instead");
    }
}
