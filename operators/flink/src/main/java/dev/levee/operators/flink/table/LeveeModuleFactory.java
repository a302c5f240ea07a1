package dev.levee.operators.flink.table;

import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.table.factories.ModuleFactory;
import org.apache.flink.table.module.Module;

import java.util.Set;

/** Creates the module for {@code LOAD MODULE levee}. */
public final class LeveeModuleFactory implements ModuleFactory {
    @Override
    public String factoryIdentifier() {
        return LeveeModule.NAME;
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return Set.of();
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return Set.of();
    }

    @Override
    public Module createModule(Context context) {
        return new LeveeModule();
    }
}
