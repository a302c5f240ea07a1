package dev.levee.jobs.internal.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.featureextraction.compute.Features;

import org.junit.jupiter.api.Test;

import java.util.List;

class ExtractionTableTest {
    private static Features features(float[]... parts) {
        int[] shape = {2};
        return new Features(List.of(parts), new int[] {3, 1, 2}, shape, List.of(), 0, 0, 0, 0);
    }

    @Test
    void comparesFeaturesOfRequestsOfAnySize() {
        Features plain = features(new float[] {1, 2, 3, 4}, new float[0], new float[] {5, 0});
        Features same = features(new float[0], new float[] {1, 2}, new float[] {3, 4, 5, 0});
        assertThat(ExtractionTable.difference(plain, same))
                .isEqualTo("features are equal bit for bit");
        Features other = features(new float[] {1, 2.25f, 3, 4, 5, 0});
        assertThat(ExtractionTable.difference(plain, other))
                .isEqualTo("features differ by up to 0.250");
        Features negative = features(new float[] {1, 2, 3, 4, 5, -0f});
        assertThat(ExtractionTable.difference(plain, negative))
                .isEqualTo("features differ by up to 0.00");
    }
}
