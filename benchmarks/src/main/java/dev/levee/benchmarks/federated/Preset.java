package dev.levee.benchmarks.federated;

import dev.levee.jobs.internal.config.federated.FederationConfig;
import dev.levee.jobs.internal.config.federated.FederationResolver;
import dev.levee.jobs.internal.config.setting.Given;
import dev.levee.operators.rounds.training.Training;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Options of {@code levee federate}, under a name for tables.
 *
 * @param options values by option, without dashes
 */
record Preset(String name, Map<String, String> options) {
    /**
     * The preset with more options.
     *
     * @param more {@code option=value} each; overrides the common ones
     */
    static Preset of(Map<String, String> common, String name, String... more) {
        Map<String, String> all = new HashMap<>(common);
        for (String each : more) {
            String[] parts = each.split("=", 2);
            all.put(parts[0], parts[1]);
        }
        return new Preset(name, all);
    }

    /** The run of a seed, with one computing thread per subtask. */
    Training training(long seed) {
        return training(seed, 1);
    }

    /** The run of a seed, with this many computing threads per subtask. */
    Training training(long seed, int threads) {
        Map<String, Given> given = new HashMap<>();
        options.forEach((key, value) -> given.put(key, new Given(List.of(value), "--" + key)));
        given.put("seed", new Given(List.of(String.valueOf(seed)), "--seed"));
        FederationConfig config = FederationConfig.SETTINGS.read(given);
        FederationResolver.check(config);
        return FederationResolver.trainings(config, threads).get(0);
    }
}
