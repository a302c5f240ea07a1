package dev.levee.jobs.internal.config.federated;

import dev.levee.connectors.kafka.worker.TrainingResolver;
import dev.levee.federated.OwnData;
import dev.levee.jobs.internal.config.setting.ConfigFile;
import dev.levee.jobs.internal.config.setting.GivenSetting;
import dev.levee.jobs.internal.config.setting.SettingsTable;
import dev.levee.operators.rounds.training.Training;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The instructions of a federated job to devices that are separate processes. They have a line for
 * each option, named as in {@code levee federate}.
 */
public final class DeviceWork implements TrainingResolver {
    private static final String PARTITION = "partition";
    private static final String ALGORITHM = "algorithm";
    private static final String SECURE_SUM = "secure-sum";

    /** The partition in which each device has all of its data set. */
    private static final String ALL = OwnData.ALL.name();

    /**
     * The settings marked as told. Every model also carries the batch size, the number of devices
     * in its round, and the number of devices among which data are dealt.
     */
    private static final List<String> TOLD =
            FederationConfig.SETTINGS.entries().stream()
                    .filter(each -> each.about().told())
                    .map(SettingsTable.Entry::name)
                    .toList();

    /** Returns the instructions as text. */
    public static String told(FederationConfig config) {
        Map<String, Object> all = FederationConfig.SETTINGS.write(config);
        Map<String, Object> told = new LinkedHashMap<>();
        if (config.devices().own()) {
            told.put(PARTITION, ALL);
        }
        TOLD.forEach(name -> told.computeIfAbsent(name, all::get));
        config.pacing().told().forEach(name -> told.put(name, all.get(name)));
        return ConfigFile.write(told);
    }

    /**
     * Creates the local training that the job's instructions define.
     *
     * @throws IllegalArgumentException if there are no instructions, because the job expects
     *     gradients; one sentence
     */
    @Override
    public Training resolve(Training own, Told model) {
        if (model.work().isEmpty()) {
            throw new IllegalArgumentException(
                    "the job expects gradients instead of local training; use levee worker");
        }
        Map<String, GivenSetting> given = read(model);
        boolean all =
                given.containsKey(PARTITION) && given.get(PARTITION).texts().equals(List.of(ALL));
        given.put("devices", given("devices", model.dealtTo()));
        given.put("batch-size", given("batch-size", model.settings().batchSize()));
        if (given.containsKey(SECURE_SUM)) {
            given.put("per-round", given("per-round", model.settings().workers()));
        }
        if (pulls(model)) {
            given.put("speed", new GivenSetting(List.of(VirtualTimeSettings.WALL), "--speed"));
        }
        FederationConfig config = FederationConfig.SETTINGS.read(given);
        return FederationResolver.outside(config, own, all ? OwnData.ALL : config.data().dealing());
    }

    @Override
    public boolean pulls(Told model) {
        return read(model).containsKey(ALGORITHM);
    }

    private static Map<String, GivenSetting> read(Told model) {
        List<String> known =
                Stream.concat(TOLD.stream(), Pacing.NO_BARRIER.told().stream()).toList();
        return ConfigFile.parse(model.work(), "what the job tells devices", known);
    }

    private static GivenSetting given(String name, int value) {
        return new GivenSetting(List.of(String.valueOf(value)), "--" + name);
    }
}
