package dev.levee.operators.rounds.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleTest {
    @Test
    void valuesNeedNoName() {
        assertThat(LearningRate.parse("warmup(5)|step(1000, 0.1)", 0.1, 100).name())
                .isEqualTo("warmup(rounds=5) | step(every=1000, factor=0.1)");
    }

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
                "step(every=0, factor=1); step: every must be a whole number above 0, got 0",
                "exponential(decay=x); exponential: decay must be a number, got x",
                "exponential(decay=-1); exponential: decay must be a number above 0, got -1",
                "step(every=5); step needs a value for factor, such as step(factor=2)",
                "cosine(every=5); cosine takes no parameters, got every=5",
                "step(5); step needs a value for factor, such as step(factor=2)",
                "cosine | constant; only warmup(rounds) can stand before a | in a schedule, got"
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
                        "unknown schedule linear: known are warmup(rounds), constant, step(every,"
                                + " factor), exponential(decay), inverse(decay), cosine");
    }
}
