package dev.levee.jobs.internal.cli;

import dev.levee.jobs.internal.cli.failure.WrongInputException;
import dev.levee.jobs.internal.cli.options.SettingsOptions;
import dev.levee.jobs.internal.config.KafkaConfig;
import dev.levee.jobs.internal.config.RunConfig;
import dev.levee.jobs.internal.config.WorkerConfig;
import dev.levee.jobs.internal.config.setting.GivenSetting;
import dev.levee.jobs.internal.config.setting.SettingsTable;
import dev.levee.jobs.internal.run.follow.PrintedLog;
import dev.levee.jobs.internal.run.follow.Terminal;
import dev.levee.jobs.internal.run.place.WorkerRun;

import picocli.CommandLine.Model.CommandSpec;

import java.util.List;
import java.util.Map;

/**
 * A process that takes part in a run from outside the job: a worker or a device.
 *
 * @param role worker or device
 * @param own settings of the process itself
 * @param brought settings of the run that the process sets itself: data, model, attack
 * @param options all of these settings, and those of Kafka
 */
record OutsideProcess(
        WorkerRun.Role role,
        SettingsTable<WorkerConfig> own,
        SettingsTable<RunConfig> brought,
        SettingsOptions options) {
    /** Creates the process of a role. */
    static OutsideProcess of(
            WorkerRun.Role role,
            SettingsTable<WorkerConfig> own,
            SettingsTable<RunConfig> brought) {
        return new OutsideProcess(
                role,
                own,
                brought,
                new SettingsOptions(List.of(own, KafkaConfig.WORKING, brought)));
    }

    /** Takes part until the run is over. */
    int run(CommandSpec spec) {
        try (WorkerRun run = prepared(spec)) {
            run.run();
        }
        return 0;
    }

    private WorkerRun prepared(CommandSpec spec) {
        try {
            Map<String, GivenSetting> given = options.given(spec, null);
            Terminal terminal = new Terminal(spec.commandLine());
            PrintedLog.open(terminal);
            return WorkerRun.of(
                    role,
                    own.read(given),
                    KafkaConfig.WORKING.read(given),
                    brought.read(given),
                    terminal);
        } catch (IllegalArgumentException e) {
            throw new WrongInputException(spec.commandLine(), e.getMessage());
        }
    }
}
