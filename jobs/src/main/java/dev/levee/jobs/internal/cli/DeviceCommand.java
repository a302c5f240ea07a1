package dev.levee.jobs.internal.cli;

import dev.levee.jobs.internal.config.RunSettings;
import dev.levee.jobs.internal.config.WorkerConfig;
import dev.levee.jobs.internal.run.place.WorkerRun;

import picocli.CommandLine.Command;

import java.util.concurrent.Callable;

/** Runs devices. */
@Command(
        name = "device",
        description =
                "Run devices of levee federate --bootstrap-servers: read the model from a Kafka"
                        + " topic, train it on local data as the job says, and write the change to"
                        + " another.",
        footer = {
            "",
            "Devices may start before the run, may come and go, and exit when the run is over.",
            "Exit status: 0 the run is over, 1 failed, 2 wrong usage, 130 interrupted."
        },
        abbreviateSynopsis = true)
final class DeviceCommand extends CliCommand implements Callable<Integer> {
    static final OutsideProcess PROCESS =
            OutsideProcess.of(WorkerRun.Role.DEVICE, WorkerConfig.DEVICE, RunSettings.DEVICE);

    @Override
    public Integer call() {
        return PROCESS.run(spec);
    }
}
