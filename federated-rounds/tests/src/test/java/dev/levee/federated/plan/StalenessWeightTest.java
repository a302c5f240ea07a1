package dev.levee.federated.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StalenessWeightTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "constant | 0 | 1",
                "constant | 9 | 1",
                "polynomial(0.5) | 0 | 1",
                "polynomial(0.5) | 3 | 0.5",
                "polynomial(2) | 1 | 0.25",
                "hinge(10, 4) | 4 | 1",
                "hinge(10, 4) | 5 | 0.09090909090909091",
                "hinge(a=10, 4) | 5 | 0.09090909090909091",
                "hinge(b=4, 10) | 5 | 0.09090909090909091",
                "hinge(0.5, 0) | 2 | 0.5"
            })
    void weighsByHand(String law, long staleness, double weight) {
        StalenessWeight parsed = StalenessWeight.parse(law);
        assertThat(parsed.at(staleness)).isEqualTo(weight);
        assertThat(StalenessWeight.parse(parsed.name())).isEqualTo(parsed);
    }

    @Test
    void refusesWhatMakesNoSense() {
        assertThatThrownBy(() -> StalenessWeight.parse("exponential"))
                .hasMessage(
                        "unknown weight by staleness exponential: known are constant,"
                                + " polynomial(a), hinge(a, b)");
        assertThatThrownBy(() -> StalenessWeight.parse("polynomial(-1)"))
                .hasMessage("polynomial(a) needs a number of at least 0, got -1");
    }
}
