package dev.levee.gar.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.gar.NamedParser;
import dev.levee.gar.PreAggregation;
import dev.levee.gar.PreAggregationFactory;
import dev.levee.gar.Rule;
import dev.levee.gar.RuleFactory;
import dev.levee.gar.Rules;

import org.junit.jupiter.api.Test;

/** Rules and pre-aggregations that a ServiceLoader brings. */
class FromOutsideTest {
    private static final float[][] ROWS = {{1}, {5}, {2}};

    @Test
    void areKnownByName() {
        assertThat(Rules.names()).contains("marked-median");
        assertThat(Rules.preAggregations()).contains("negation");
        Rule rule = Rules.parse("negation | marked-median(red)");
        assertThat(rule.name()).isEqualTo("negation | marked-median(mark=red)");
        assertThat(Rules.aggregate(rule, ROWS, 1, 1)).containsExactly(-2);
    }

    @Test
    void takeTheirOwnParametersOnly() {
        assertThatThrownBy(() -> Rules.parse("marked-median(colour=red)"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("marked-median has no parameter colour: it takes mark");
    }

    @Test
    void takenNamesAreRefused() {
        NamedParser<Rule> rules =
                new NamedParser<Rule>("rule").add("marked-median", a -> new Average());
        assertThatThrownBy(() -> rules.addAll(RuleFactory.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the name marked-median of dev.levee.gar.rules.MarkedMedianFactory is taken"
                                + " by another rule");
        NamedParser<PreAggregation> before =
                new NamedParser<PreAggregation>("pre-aggregation")
                        .add("negation", a -> new Clip(1));
        assertThatThrownBy(() -> before.addAll(PreAggregationFactory.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is taken by another pre-aggregation");
    }
}
