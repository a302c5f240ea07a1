package dev.levee.jobs.internal.config.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;

class SpellingSuggestionTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "unknown rule multikrum: known are krum, multi-krum | multi-krum",
                "--x: unknown partition idd: it must be by-class, dirichlet(α) or iid | iid",
                "--x: unknown partition dirichle(2): it must be dirichlet(α) or iid | dirichlet",
                "unknown schedule cosin; there are constant, cosine and warmup(rounds=…) | cosine",
                "--optimizer must be one of sgd, adam, got adan | adam",
                "--loss: unknown loss mes: there are bce, mse, huber(DELTA) and module | mse",
            })
    void theNearestNameOfAListIsMeant(String sentence, String meant) {
        assertThat(SpellingSuggestion.hint(sentence))
                .isEqualTo(sentence + "; did you mean " + meant + "?");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "unknown rule xyzzy-foo: known are krum, median",
                "unknown rule (no name given): known are krum, median",
                "it did not work",
                "--x must be one of (a, b), got c",
                "unknown attack zz: there are ipm(e), a b), alie",
                "unknown rule kurm: known are krum; did you mean krum?"
            })
    void otherSentencesStayAsTheyAre(String sentence) {
        assertThat(SpellingSuggestion.hint(sentence)).isEqualTo(sentence);
    }

    @Test
    void nobodyIsMeantFromFarAway() {
        assertThat(SpellingSuggestion.nearest("--rouns", List.of("--rounds", "--run")))
                .contains("--rounds");
        assertThat(SpellingSuggestion.nearest("attach", List.of("train", "serve"))).isEmpty();
        assertThat(SpellingSuggestion.nearest("x", List.of())).isEmpty();
    }

    @Test
    void durationsHaveAUnit() {
        assertThat(Durations.positive("--x", " 2 min ")).isEqualTo(Duration.ofMinutes(2));
        assertThat(Durations.positive("--x", "50us")).isEqualTo(Duration.ofNanos(50_000));
        assertThat(Durations.notNegative("--x", "0s")).isZero();
        for (String wrong : List.of("10", "0s", "-1s", "", "soon", "s")) {
            assertThatThrownBy(() -> Durations.positive("--x", wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "--x must be a duration above zero such as 500ms, 10s or 2min, got "
                                    + wrong);
        }
    }
}
