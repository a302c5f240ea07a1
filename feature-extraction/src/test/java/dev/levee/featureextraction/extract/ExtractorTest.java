package dev.levee.featureextraction.extract;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExtractorTest {
    private static final int MEGAPIXEL = 3 << 20;

    @Test
    void aBatchConsistsOfWholeMicroBatchesWhosePixelsFitIntoAnArray() {
        assertThat(Extractor.step(3, 8, MEGAPIXEL)).isEqualTo(3);
        assertThat(Extractor.step(30, 8, MEGAPIXEL)).isEqualTo(24);
        assertThat(Extractor.step(1000, 8, MEGAPIXEL)).isEqualTo(680);
    }
}
