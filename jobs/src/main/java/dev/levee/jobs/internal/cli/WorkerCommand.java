package dev.levee.jobs.internal.cli;

import dev.levee.jobs.internal.config.RunSettings;
import dev.levee.jobs.internal.config.WorkerConfig;
import dev.levee.jobs.internal.run.place.WorkerRun;

import picocli.CommandLine.Command;

import java.util.concurrent.Callable;

/** Runs one worker. */
@Command(
        name = "worker",
        description =
                "Run workers of levee serve: read models from a Kafka topic, and write gradients"
                        + " to another.",
        footer = {
            "",
            "Workers may start before the run and exit when it is over. If the job asks a worker",
            "to evaluate versions (levee serve --evaluator), it uses its own test samples.",
            "Exit status: 0 the run is over, 1 failed, 2 wrong usage, 130 interrupted."
        },
        abbreviateSynopsis = true)
final class WorkerCommand extends CliCommand implements Callable<Integer> {
    static final OutsideProcess PROCESS =
            OutsideProcess.of(WorkerRun.Role.WORKER, WorkerConfig.SETTINGS, RunSettings.WORKING);

    @Override
    public Integer call() {
        return PROCESS.run(spec);
    }
}
