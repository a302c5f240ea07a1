package dev.levee.operators.rounds.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "constant; 0; 0.8",
                "constant; 99; 0.8",
                "step(every=10, factor=0.5); 9; 0.8",
                "step(every=10, factor=0.5); 10; 0.4",
                "step(every=10, factor=0.5); 29; 0.2",
                "exponential(decay=0.5); 0; 0.8",
                "exponential(decay=0.5); 3; 0.1",
                "inverse(decay=0.25); 4; 0.4",
                "inverse(decay=0.25); 12; 0.2",
                "cosine; 0; 0.8",
                "cosine; 50; 0.4",
                "cosine; 100; 0",
                "warmup(rounds=4); 0; 0.2",
                "warmup(rounds=4); 3; 0.8",
                "warmup(rounds=4) | step(every=2, factor=0.5); 1; 0.4",
                "warmup(rounds=4) | step(every=2, factor=0.5); 2; 0.3",
                "warmup(rounds=4) | step(every=2, factor=0.5); 4; 0.2",
            })
    void literalExamples(String text, long round, double expected) {
        LearningRate rate = LearningRate.parse(text, 0.8, 100);
        assertThat(rate.at(round)).isCloseTo(expected, within(1e-15));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "constant",
                "step(every=1000, factor=0.1)",
                "exponential(decay=0.999)",
                "inverse(decay=0.01)",
                "cosine",
                "warmup(rounds=100) | cosine",
            })
    void nameReadsBack(String text) {
        LearningRate rate = LearningRate.parse(text, 0.1, 100);
        assertThat(rate.name()).isEqualTo(text);
        assertThat(LearningRate.parse(rate.name(), 0.1, 100)).isEqualTo(rate);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "step(every=0, factor=1); every of a schedule must be a whole number above 0, got 0",
                "exponential(decay=x); decay of a schedule must be a number above 0, got x",
                "exponential(decay=-1); decay of a schedule must be a number above 0, got -1",
                "step(every=5); the schedule step(every=5) needs factor=…",
                "cosine(every=5); the schedule cosine(every=5) has no parameter every",
                "step(5); parameters of a schedule are written name=value, got 5",
                "cosine | constant; only warmup(rounds=…) can stand before a | in a schedule, got"
                        + " cosine | constant",
            })
    void wrongOnesAreNamed(String text, String message) {
        assertThatThrownBy(() -> LearningRate.parse(text, 0.1, 100))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void unknownOnesSayWhatThereIs() {
        assertThatThrownBy(() -> LearningRate.parse("linear", 0.1, 100))
                .hasMessage(
                        "unknown schedule linear; there are constant, step(every=…, factor=…),"
                                + " exponential(decay=…), inverse(decay=…), cosine and"
                                + " warmup(rounds=…) | …");
    }
}
