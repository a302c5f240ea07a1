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
import org.junit.jupiter.api.io.TempDir;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;

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
                new NamedParser<Rule>("rule")
                        .add("marked-median", a -> new Average())
                        .addAll(RuleFactory.class);
        String sentence =
                "the name marked-median of dev.levee.gar.rules.MarkedMedianFactory is taken by"
                        + " another rule";
        assertThatThrownBy(() -> rules.parse("marked-median"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(sentence);
        assertThatThrownBy(rules::names)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(sentence);
        NamedParser<PreAggregation> before =
                new NamedParser<PreAggregation>("pre-aggregation")
                        .add("negation", a -> new Clip(1))
                        .addAll(PreAggregationFactory.class);
        assertThatThrownBy(() -> before.knows("negation"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is taken by another pre-aggregation");
    }

    @Test
    void aBrokenJarIsRefused(@TempDir Path jar) throws Exception {
        Path services = Files.createDirectories(jar.resolve("META-INF/services"));
        Files.writeString(services.resolve(RuleFactory.class.getName()), "example.Missing");
        NamedParser<Rule> rules = new NamedParser<Rule>("rule").add("average", a -> new Average());
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, before)) {
            Thread.currentThread().setContextClassLoader(loader);
            rules.addAll(RuleFactory.class);
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
        assertThatThrownBy(() -> rules.parse("average"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "a plug-in with a rule could not be loaded:"
                                + " java.util.ServiceConfigurationError:"
                                + " dev.levee.gar.RuleFactory: Provider example.Missing not found");
    }
}
