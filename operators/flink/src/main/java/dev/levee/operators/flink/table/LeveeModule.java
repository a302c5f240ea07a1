package dev.levee.operators.flink.table;

import dev.levee.gar.Rules;

import org.apache.flink.table.functions.FunctionDefinition;
import org.apache.flink.table.module.Module;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Provides the rules as aggregate functions of SQL and the Table API, after {@code LOAD MODULE
 * levee}. Each rule, also of plugins, has its name in upper case with underscores; {@code
 * ROBUST_AGGREGATE} runs pipelines. Rules that need external scores are left out, and so are rules
 * that need parameters, which {@code ROBUST_AGGREGATE} runs.
 */
public final class LeveeModule implements Module {
    /** Name of the module. */
    public static final String NAME = "levee";

    private final TreeMap<String, RowsFunction> functions =
            new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    /** Creates a module with all rules that are registered now. */
    public LeveeModule() {
        for (String rule : Rules.names()) {
            if (Rules.plain(rule).filter(plain -> !plain.needsScores()).isPresent()) {
                functions.put(
                        rule.toUpperCase(Locale.ROOT).replace('-', '_'), new RuleFunction(rule));
            }
        }
        functions.put("ROBUST_AGGREGATE", new PipelineFunction());
    }

    @Override
    public Set<String> listFunctions() {
        return Set.copyOf(functions.keySet());
    }

    @Override
    public Optional<FunctionDefinition> getFunctionDefinition(String name) {
        return Optional.ofNullable(functions.get(name));
    }
}
