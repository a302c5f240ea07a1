package dev.levee.jobs.internal.cli;

import dev.levee.jobs.internal.config.RunSettings;
import dev.levee.jobs.internal.config.WorkerConfig;
import dev.levee.jobs.internal.run.place.WorkerRun;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.util.concurrent.Callable;

/** Runs devices. */
@Command(
        name = "device",
        description =
                "Be one device, or several, of a run that levee federate --bootstrap-servers leads:"
                        + " read the model from a Kafka topic when a round asks, train it on data"
                        + " of one's own as the job says, write what changed to another topic.",
        footer = {
            "",
            "A device may start before there is a run, may come and go, and ends when the run is"
                    + " over.",
            "Exit status: 0 the run is over, 1 failed, 2 wrong usage, 130 interrupted."
        },
        abbreviateSynopsis = true,
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class DeviceCommand implements Callable<Integer> {
    static final OutsideProcess PROCESS =
            OutsideProcess.of(WorkerRun.Role.DEVICE, WorkerConfig.DEVICE, RunSettings.DEVICE);

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
        return PROCESS.run(spec);
    }
}
