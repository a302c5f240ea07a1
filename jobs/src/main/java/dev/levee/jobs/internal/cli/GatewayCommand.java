package dev.levee.jobs.internal.cli;

import dev.levee.federated.gateway.Gateway;
import dev.levee.jobs.internal.cli.options.SettingsOptions;
import dev.levee.jobs.internal.config.GatewayConfig;
import dev.levee.jobs.internal.config.KafkaConfig;
import dev.levee.jobs.internal.config.setting.GivenSetting;
import dev.levee.jobs.internal.run.follow.ShutdownHook;

import picocli.CommandLine.Command;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** Runs a gateway between devices and topics. */
@Command(
        name = "gateway",
        description =
                "Run a gateway (HTTPS, gRPC) for devices that reach no broker. It passes the records of "
                        + "one run between devices (levee device --gateway) and its Kafka topics.",
        footer = {
            "",
            "A gateway has no state: run as many as needed behind a balancer, and restart them at "
                    + "any time. levee accounts makes the tokens with which devices enroll.",
            "Exit status: 1 failed, 2 wrong usage, 130 interrupted."
        },
        abbreviateSynopsis = true)
final class GatewayCommand extends CliCommand implements Callable<Integer> {
    static final SettingsOptions OPTIONS =
            new SettingsOptions(List.of(GatewayConfig.SETTINGS, KafkaConfig.PASSING));

    @Override
    public Integer call() throws Exception {
        Map<String, GivenSetting> given = checked(() -> OPTIONS.given(spec, null));
        KafkaConfig kafka = checked(() -> KafkaConfig.PASSING.read(given));
        Gateway.Options options = checked(() -> GatewayConfig.SETTINGS.read(given).options(kafka));
        try (Gateway gateway = checked(() -> Gateway.start(options));
                ShutdownHook end = new ShutdownHook(gateway::close)) {
            out().printf(
                            "Gateway of run %s at https://%s:%d%s%n",
                            kafka.run(),
                            options.listen().getHostString(),
                            gateway.port(),
                            options.devices().workers() == null
                                    ? ", without keys: the job accepts anyone who has an account"
                                    : "");
            if (gateway.grpcPort() >= 0) {
                out().printf(
                                "gRPC: grpcs://%s:%d%n",
                                options.grpcListen().getHostString(), gateway.grpcPort());
            }
            if (gateway.metricsPort() >= 0) {
                out().printf("Metrics: http://127.0.0.1:%d/metrics%n", gateway.metricsPort());
            }
            gateway.await();
        }
        return 0;
    }
}
