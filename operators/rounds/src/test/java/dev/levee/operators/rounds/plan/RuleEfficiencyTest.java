package dev.levee.operators.rounds.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.levee.gar.Rules;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuleEfficiencyTest {
    /** Krum has about one row, Multi-Krum n − f − 2 of them, the median about 2n/π. */
    @ParameterizedTest
    @CsvSource({
        "average, 11, 0, 11",
        "krum, 11, 3, 1.05",
        "multi-krum, 11, 3, 6",
        "median, 11, 0, 7.2",
        "trimmed-mean, 11, 3, 9.2",
        "average, 1, 0, 1",
        "median, 1, 0, 1"
    })
    void isThatOfTheRule(String rule, int n, int f, double rows) {
        assertThat(new RuleEfficiency(Rules.parse(rule), f).rows(n))
                .isCloseTo(rows, within(0.08 * rows));
    }

    @ParameterizedTest
    @CsvSource({
        "zeno",
        "centered-clipping",
        "bulyan",
        "geometric-median",
        "mda",
        "meamed",
        "nnm | trimmed-mean",
        "clip(1) | krum",
        "bucketing(2) | median"
    })
    void everyRuleHasOne(String rule) {
        assertThat(new RuleEfficiency(Rules.parse(rule), 1).rows(9)).isBetween(1.0, 9.0);
    }
}
