package dev.levee.jobs.internal.finetune;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BaselineRunTest {
    private static final long HEAP = 4L << 30;

    @Test
    void largeImagesAreReadAFewAtATime() {
        assertThat(BaselineRun.perRequest(1000, 100_000, HEAP)).isEqualTo(1000);
        assertThat(BaselineRun.perRequest(1000, 2_150_000, HEAP)).isEqualTo(62);
        assertThat(BaselineRun.perRequest(1000, 1e9, HEAP)).isEqualTo(1);
    }
}
