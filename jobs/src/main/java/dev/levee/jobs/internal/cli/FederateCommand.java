package dev.levee.jobs.internal.cli;

import dev.levee.jobs.internal.config.Deployment;
import dev.levee.jobs.internal.config.FederationConfig;
import dev.levee.jobs.internal.config.FederationResolver;
import dev.levee.jobs.internal.config.Given;
import dev.levee.jobs.internal.run.FederatedPlan;
import dev.levee.jobs.internal.run.RunPlan;

import picocli.CommandLine.Command;

import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Trains a model over many devices. */
@Command(
        name = "federate",
        description =
                "Train a model over many devices, of which each round asks some, that train on data"
                        + " of their own and send what changed.",
        footer = {
            "",
            "Every option but --overwrite can also be a line of the file given with --config, such"
                    + " as \"devices: 1000\"; the command line wins.",
            "Exit status: 0 done, 1 failed, 2 wrong usage."
        },
        abbreviateSynopsis = true,
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class FederateCommand extends RunCommand {
    static final SettingsOptions OPTIONS =
            new SettingsOptions(List.of(FederationConfig.SETTINGS, Deployment.FEDERATED));

    @Override
    SettingsOptions options() {
        return OPTIONS;
    }

    @Override
    Map<String, Object> resolved(Map<String, Given> given) {
        FederationConfig federation = FederationConfig.SETTINGS.read(given);
        Deployment deployment = Deployment.FEDERATED.read(given);
        FederationResolver.check(federation);
        deployment.check();
        Map<String, Object> values =
                new LinkedHashMap<>(FederationConfig.SETTINGS.write(federation));
        values.putAll(Deployment.FEDERATED.write(deployment));
        return values;
    }

    @Override
    RunPlan plan(Map<String, Given> given) {
        return FederatedPlan.of(
                FederationConfig.SETTINGS.read(given),
                Deployment.FEDERATED.read(given),
                Runtime.getRuntime().availableProcessors(),
                Clock.systemDefaultZone());
    }
}
