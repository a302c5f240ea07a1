package dev.levee.jobs.internal.finetune;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;

class DigitsDemoTest {
    @Test
    void theUsersOptionsTakeThePlaceOfTheDemos() {
        assertThat(DigitsDemo.training(List.of()))
                .containsSubsequence("--rounds", "150")
                .containsSubsequence("--workers", "2")
                .containsOnlyOnce("--overwrite");
        assertThat(DigitsDemo.training(List.of("--rounds=5", "--workers", "4", "--overwrite")))
                .contains("--rounds=5")
                .doesNotContain("150", "2")
                .containsSubsequence("--workers", "4")
                .containsOnlyOnce("--overwrite");
    }
}
