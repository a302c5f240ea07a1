package dev.levee.jobs.internal.cli;

import dev.levee.jobs.internal.config.Given;
import dev.levee.jobs.internal.config.KafkaConfig;
import dev.levee.jobs.internal.config.RunConfig;
import dev.levee.jobs.internal.config.WorkerConfig;
import dev.levee.jobs.internal.run.Terminal;
import dev.levee.jobs.internal.run.WorkerRun;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** Runs one worker. */
@Command(
        name = "worker",
        description =
                "Be one worker, or several, of a run that levee serve leads: read models from a Kafka topic,"
                        + " compute gradients, write them to another.",
        footer = {
            "",
            "A worker may start before there is a run, and ends when the run is over.",
            "Exit status: 0 the run is over, 1 failed, 2 wrong usage, 130 interrupted."
        },
        abbreviateSynopsis = true,
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class WorkerCommand implements Callable<Integer> {
    static final SettingsOptions OPTIONS =
            new SettingsOptions(
                    List.of(WorkerConfig.SETTINGS, KafkaConfig.WORKING, RunConfig.WORKING));

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
        try (WorkerRun run = prepared()) {
            run.run();
        }
        return 0;
    }

    private WorkerRun prepared() {
        try {
            Map<String, Given> given = OPTIONS.given(spec, null);
            return WorkerRun.of(
                    WorkerConfig.SETTINGS.read(given),
                    KafkaConfig.WORKING.read(given),
                    RunConfig.WORKING.read(given),
                    new Terminal(spec.commandLine()));
        } catch (IllegalArgumentException e) {
            throw new WrongInputException(spec.commandLine(), e.getMessage());
        }
    }
}
