package dev.levee.benchmarks.federated;

import dev.levee.jobs.internal.config.federated.FederationConfig;
import dev.levee.jobs.internal.config.federated.FederationResolver;
import dev.levee.jobs.internal.config.setting.GivenSetting;
import dev.levee.operators.rounds.training.Training;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Named options of {@code levee federate}, for a row of a table.
 *
 * @param options values by option, without dashes
 */
record Preset(String name, Map<String, String> options) {
    /**
     * Creates a preset from the common options and further ones.
     *
     * @param more each {@code option=value}; overrides the common options
     */
    static Preset of(Map<String, String> common, String name, String... more) {
        Map<String, String> all = new HashMap<>(common);
        for (String each : more) {
            String[] parts = each.split("=", 2);
            all.put(parts[0], parts[1]);
        }
        return new Preset(name, all);
    }

    /** The training with a seed, with one computing thread per subtask. */
    Training training(long seed) {
        return training(seed, 1);
    }

    /** The training with a seed, with this many computing threads per subtask. */
    Training training(long seed, int threads) {
        Map<String, GivenSetting> given = new HashMap<>();
        options.forEach(
                (key, value) -> given.put(key, new GivenSetting(List.of(value), "--" + key)));
        given.put("seed", new GivenSetting(List.of(String.valueOf(seed)), "--seed"));
        FederationConfig config = FederationConfig.SETTINGS.read(given);
        FederationResolver.check(config);
        return FederationResolver.trainings(config, threads).get(0);
    }
}
