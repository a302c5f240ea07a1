package dev.levee.jobs.internal.cli;

import dev.levee.jobs.cluster.ObjectStores;
import dev.levee.jobs.internal.cli.options.SettingsOptions;
import dev.levee.jobs.internal.config.Deployment;
import dev.levee.jobs.internal.config.StorageConfig;
import dev.levee.jobs.internal.config.setting.GivenSetting;
import dev.levee.jobs.internal.run.cluster.StorageServer;

import picocli.CommandLine.Command;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/** Runs a storage tier, which serves features to compute tiers. */
@Command(
        name = "serve",
        description =
                "Run the storage tier as a Flink job next to the object store, for levee finetune"
                        + " --storage.",
        footer = {
            "",
            "It has no state. When it is restarted, waiting clients send their requests again.",
            "Exit status: 0 the job is on --target, 1 failed, 2 wrong usage, 130 interrupted."
        },
        abbreviateSynopsis = true)
final class StorageServeCommand extends CliCommand implements Callable<Integer> {
    static final SettingsOptions OPTIONS =
            new SettingsOptions(List.of(StorageConfig.SETTINGS, Deployment.STORAGE));

    @Override
    public Integer call() throws Exception {
        Map<String, GivenSetting> given = checked(() -> OPTIONS.given(spec, null));
        StorageConfig config = checked(() -> StorageConfig.SETTINGS.read(given));
        Deployment deployment =
                checked(
                        () -> {
                            Deployment place = Deployment.STORAGE.read(given);
                            config.check(place);
                            return place;
                        });
        if (deployment.embedded()) {
            ObjectStores.prepareToServe(config.endpoint());
        }
        @SuppressWarnings("resource") // it ends with this process, or stays on its cluster
        StorageServer server = StorageServer.start(config, deployment);
        PrintWriter out = out();
        out.println("Flink's web UI is at " + server.webUi());
        String doors =
                server.doors().stream()
                        .map(door -> "tcp://" + door.getHostString() + ":" + door.getPort())
                        .collect(Collectors.joining(","));
        out.println("Fine-tune with it: levee finetune --storage " + doors);
        if (server.survives()) {
            out.println(
                    "Stop it with: curl -X PATCH %s/jobs/%s"
                            .formatted(server.webUi(), server.job()));
            return 0;
        }
        server.await();
        return 0;
    }
}
