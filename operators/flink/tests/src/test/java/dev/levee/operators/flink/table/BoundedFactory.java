package dev.levee.operators.flink.table;

import dev.levee.gar.Arguments;
import dev.levee.gar.Rule;
import dev.levee.gar.RuleFactory;
import dev.levee.gar.Rules;

import java.util.List;

/** A rule from outside that needs a parameter. */
public final class BoundedFactory implements RuleFactory {
    @Override
    public String name() {
        return "bounded";
    }

    @Override
    public List<String> parameters() {
        return List.of("bound");
    }

    @Override
    public Rule create(Arguments arguments) {
        return Rules.parse("norm-threshold(bound=%s)".formatted(arguments.number("bound")));
    }
}
