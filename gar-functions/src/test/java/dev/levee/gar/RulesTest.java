package dev.levee.gar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.gar.rules.Clip;
import dev.levee.gar.rules.Median;
import dev.levee.gar.rules.MultiKrum;
import dev.levee.gar.rules.NearestNeighbourMixing;
import dev.levee.gar.rules.Pipeline;
import dev.levee.gar.rules.TrimmedMean;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

class RulesTest {
    @Test
    void readsRulesWithParameters() {
        assertThat(Rules.parse("median")).isEqualTo(new Median(false));
        assertThat(Rules.parse(" median ( lower ) ")).isEqualTo(new Median(true));
        assertThat(Rules.parse("median(lower=true)")).isEqualTo(new Median(true));
        assertThat(Rules.parse("multi-krum(m=4)")).isEqualTo(new MultiKrum(4));
        assertThat(Rules.parse("multi-krum(4)")).isEqualTo(new MultiKrum(4));
        assertThat(Rules.parse("multi-krum()")).isEqualTo(new MultiKrum(0));
        assertThat(Rules.parse("clip(c=2) | nnm|trimmed-mean"))
                .isEqualTo(
                        new Pipeline(
                                List.of(new Clip(2), new NearestNeighbourMixing()),
                                new TrimmedMean()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "average",
                "median",
                "median(lower)",
                "trimmed-mean",
                "krum",
                "multi-krum",
                "multi-krum(m=5)",
                "clip(2) | nnm | trimmed-mean",
                "clip(0.001) | clip(1.0E20) | average",
                "cap-weights(2) | average",
                "zeno++(rho=0.5,epsilon=0.1,c=2)"
            })
    void namesReadBack(String name) {
        assertThat(Rules.parse(name).name()).isEqualTo(name);
    }

    @Test
    void everyNameIsKnown() {
        assertThat(Rules.names())
                .contains("average", "median", "trimmed-mean", "krum", "multi-krum")
                .allSatisfy(name -> assertThat(Rules.parse(name).name()).isEqualTo(name));
        assertThat(Rules.preAggregations())
                .contains("nnm", "bucketing", "clip", "arc", "cap-weights");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "mean; unknown rule mean: known are average, median(lower), trimmed-mean, ...",
                "''; unknown rule (no name given): known are average, median(lower), ...",
                "nnn | median; unknown pre-aggregation nnn: known are clip(c), nnm, ...",
                "| median; unknown pre-aggregation (no name given): known are clip(c), nnm, ...",
                "nnm; nnm is a pre-aggregation: a rule must follow it, such as nnm | average",
                "krum | median; krum is a rule: only pre-aggregations can precede a |",
                "average(3); average takes no parameters, got 3",
                "krum(m=3); krum has no parameter m: it takes neighbours, plain",
                "cge(m=3); cge takes no parameters, got m=3",
                "krum(neighbours=3); krum: neighbours must be n-f-2 or n-f-1, got 3",
                "multi-krum(k=3); multi-krum has no parameter k: it takes m, neighbours, plain",
                "median(true, 4); median takes lower only, got 4 too many",
                "multi-krum(3, m=4); multi-krum: m is given twice",
                "multi-krum(m=many); 'multi-krum: m must be a whole number above 0, got many'",
                "multi-krum(m=0); 'multi-krum: m must be a whole number above 0, got 0'",
                "multi-krum(m=; multi-krum(m=: the parameters of multi-krum must end with )",
                "median(lower=3); 'median: lower must be true or false, got 3'",
                "clip | median; 'clip needs a value for c, such as clip(c=2)'",
                "clip(two) | median; 'clip: c must be a number, got two'",
                "clip(-2) | median; 'clip: the bound c must be above 0, got -2'",
                "clip(NaN) | median; 'clip: c must be a number, got NaN'"
            })
    void wrongTextIsExplained(String text, String message) {
        assertThatThrownBy(() -> Rules.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message.replace("...", ""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "average; 0; 1",
                "average; 7; 1",
                "median; 3; 7",
                "trimmed-mean; 3; 7",
                "krum; 3; 9",
                "multi-krum; 0; 3",
                "multi-krum; 3; 9",
                "multi-krum(m=8); 3; 11",
                "nnm | average; 3; 4",
                "clip(2) | nnm | trimmed-mean; 3; 7",
                "clip(2) | multi-krum; 3; 9",
                "monna(trusted=w9); 3; 7",
                "multi-krum(m=n-f); 3; 9",
                "zeno(b=5); 3; 6",
                "zeno++; 3; 4",
                "bucketing(3) | median; 2; 13"
            })
    void limits(String rule, int f, int rows) {
        assertThat(Rules.parse(rule).minimumRows(f)).isEqualTo(rows);
    }

    @Test
    void limitsBeyondAllNumbersOfRowsAreExplained() {
        assertThatThrownBy(() -> Rules.parse("bulyan").check(3, 600_000_000))
                .hasMessage(
                        "bulyan needs n ≥ 4f + 3: with f = 600000000 that is 2147483647 rows or"
                                + " more, got 3");
        assertThatThrownBy(() -> Rules.parse("average").check(3, 3))
                .hasMessage("average needs n ≥ 1 and n > f: with f = 3 that is 4 rows, got 3");
        assertThat(Rules.parse("bucketing(3) | nnm | bulyan").minimumRows(100_000_000))
                .isEqualTo(1_200_000_007);
    }

    @Test
    void limitsAreExplained() {
        assertThatThrownBy(() -> Rules.parse("multi-krum").check(8, 3))
                .hasMessage("multi-krum needs n ≥ 2f + 3: with f = 3 that is 9 rows, got 8");
        assertThatThrownBy(() -> Rules.parse("clip(2) | nnm | trimmed-mean").check(6, 3))
                .hasMessage(
                        "clip(2) | nnm | trimmed-mean needs n ≥ 2f + 1: with f = 3 that is 7 rows,"
                                + " got 6");
        Rules.parse("multi-krum").check(9, 3);
    }

    @Test
    void wrongRowsAreExplained() {
        Rule median = Rules.parse("median");
        assertThatThrownBy(() -> Rules.aggregate(median, new float[0][], 0, 1))
                .hasMessage("median needs at least one row, got none");
        assertThatThrownBy(() -> Rules.aggregate(median, new float[][] {{1, 2}, {1}}, 0, 1))
                .hasMessage("all rows must have 2 coordinates, row 1 has 1");
        assertThatThrownBy(() -> Rules.aggregate(median, new float[2][3], 1, 1))
                .hasMessageContaining("n ≥ 2f + 1");
        assertThatThrownBy(() -> Rules.aggregate(median, new float[2][3], -1, 1))
                .hasMessage("f must not be negative, got -1");
        assertThat(Rules.aggregate(median, new float[3][0], 1, 1)).isEmpty();
    }
}
