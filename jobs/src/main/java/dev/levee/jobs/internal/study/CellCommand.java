package dev.levee.jobs.internal.study;

import dev.levee.jobs.internal.config.Resolver;
import dev.levee.jobs.internal.config.RunConfig;
import dev.levee.jobs.internal.config.federated.FederationConfig;
import dev.levee.jobs.internal.config.federated.FederationResolver;
import dev.levee.jobs.internal.config.setting.GivenSetting;
import dev.levee.jobs.internal.config.setting.SettingsTable;
import dev.levee.learners.GenerativeModel;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.training.Training;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The commands whose options cells may have. */
enum CellCommand {
    /** {@code levee train}. */
    TRAIN(RunConfig.SETTINGS.entries()) {
        @Override
        Map<String, Object> resolved(Map<String, GivenSetting> given) {
            return RunConfig.SETTINGS.write(RunConfig.SETTINGS.read(given));
        }

        @Override
        Training training(Map<String, GivenSetting> given, Models.Opener models) {
            RunConfig config = RunConfig.SETTINGS.read(given);
            Resolver.check(config);
            return Resolver.trainings(config, 1, models).get(0);
        }
    },
    /** {@code levee federate}, with devices inside the job. */
    FEDERATE(FederationConfig.SETTINGS.entries()) {
        @Override
        Map<String, Object> resolved(Map<String, GivenSetting> given) {
            return FederationConfig.SETTINGS.write(FederationConfig.SETTINGS.read(given));
        }

        @Override
        Training training(Map<String, GivenSetting> given, Models.Opener models) {
            FederationConfig config = FederationConfig.SETTINGS.read(given);
            FederationResolver.check(config);
            FederationResolver.checkInside(config);
            Training training = FederationResolver.trainings(config, 1, models).get(0);
            if (training.model() instanceof GenerativeModel) {
                throw new IllegalArgumentException(
                        "--gan needs a job of its own, which scores the images");
            }
            return training;
        }
    };

    private final List<SettingsTable.Entry> entries;

    CellCommand(List<SettingsTable.Entry> entries) {
        this.entries = entries;
    }

    /** The names of the command's options. */
    List<String> options() {
        return entries.stream().map(SettingsTable.Entry::name).toList();
    }

    /** True if an option takes no value. */
    boolean flag(String option) {
        return entries.stream().anyMatch(each -> each.name().equals(option) && each.flag());
    }

    /** The command's name as users write it. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns all options with their values.
     *
     * @throws IllegalArgumentException if an option is wrong; one sentence
     */
    abstract Map<String, Object> resolved(Map<String, GivenSetting> given);

    /**
     * Creates the training; the first one if the options define several. Opens the data.
     *
     * @throws IllegalArgumentException if the options define no training; one sentence
     */
    abstract Training training(Map<String, GivenSetting> given, Models.Opener models);
}
