package dev.levee.jobs.internal.cli;

import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.federated.gateway.account.AccountEvent;
import dev.levee.federated.gateway.account.AccountLog;
import dev.levee.federated.gateway.account.Accounts;
import dev.levee.federated.gateway.account.Secrets;
import dev.levee.federated.gateway.device.DeviceFiles;
import dev.levee.jobs.internal.cli.view.Columns;
import dev.levee.jobs.internal.config.KafkaConfig;
import dev.levee.jobs.internal.config.setting.Durations;
import dev.levee.jobs.internal.config.setting.GivenSetting;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Manages the accounts of devices at the gateways of a run. */
@Command(
        name = "accounts",
        description = "Manage the accounts of devices that use a gateway (levee gateway).",
        synopsisSubcommandLabel = "offer|revoke|list")
final class AccountsCommand extends CommandGroup {
    /** Options that locate the topic of accounts. */
    static final class Place {
        @Option(
                names = "--bootstrap-servers",
                paramLabel = "HOST:PORT",
                required = true,
                description = "Kafka brokers to connect to first, separated by commas.")
        private String bootstrapServers;

        @Option(
                names = "--kafka-config",
                paramLabel = "FILE",
                description = "Properties file for the Kafka clients.")
        private String kafkaConfig;

        @Option(
                names = "--run",
                paramLabel = "NAME",
                defaultValue = "levee",
                description =
                        "Name of the run; its accounts are on topic NAME.devices (default:"
                                + " ${DEFAULT-VALUE}).")
        private String run;

        AccountLog open() {
            Map<String, GivenSetting> given = new HashMap<>();
            given.put("bootstrap-servers", given(bootstrapServers, "--bootstrap-servers"));
            given.put("run", given(run, "--run"));
            if (kafkaConfig != null) {
                given.put("kafka-config", given(kafkaConfig, "--kafka-config"));
            }
            KafkaConfig kafka = KafkaConfig.READING.read(given);
            return AccountLog.open(kafka.address(), kafka.topics());
        }

        private static GivenSetting given(String value, String option) {
            return new GivenSetting(List.of(value), option);
        }
    }

    @Command(
            name = "offer",
            description = {
                "Make enrollment tokens: NAME.token, which a device uses once, and which is"
                        + " secret.",
                "The device then keeps the secret of its account in NAME.account. A device that "
                        + "has lost it, or was revoked, needs a new token."
            },
            mixinStandardHelpOptions = true)
    int offer(
            @Mixin Place place,
            @Parameters(
                            paramLabel = "NAME",
                            arity = "1..*",
                            description = "A device such as w3, or a range such as w0-w9.")
                    List<String> names,
            @Option(
                            names = "--dir",
                            paramLabel = "DIRECTORY",
                            defaultValue = "keys",
                            description = "Directory for the tokens (default: ${DEFAULT-VALUE}).")
                    Path directory,
            @Option(
                            names = "--expires",
                            paramLabel = "TIME",
                            defaultValue = "7d",
                            description =
                                    "How long a token can be used (default: ${DEFAULT-VALUE}).")
                    String expires)
            throws IOException {
        try {
            Duration time = Durations.positive("--expires", expires);
            List<String> devices = devices(names);
            List<AccountEvent.Offered> offers = new ArrayList<>();
            Files.createDirectories(directory);
            for (String device : devices) {
                Path file = new DeviceFiles(directory, device).token();
                if (Files.exists(file)) {
                    throw new FileAlreadyExistsException(file.toString());
                }
            }
            try (AccountLog log = place.open()) {
                for (String device : devices) {
                    String token = Secrets.random();
                    Path file = new DeviceFiles(directory, device).token();
                    DeviceFiles.create(file);
                    Files.writeString(file, token + "\n", StandardCharsets.US_ASCII);
                    offers.add(
                            new AccountEvent.Offered(
                                    device,
                                    Secrets.hash(token),
                                    System.currentTimeMillis() + time.toMillis()));
                }
                log.appendAll(offers);
            }
            out().printf("%d tokens in %s%n", devices.size(), directory);
        } catch (FileAlreadyExistsException e) {
            throw wrong(e.getFile() + " already exists: remove it first if it is not used");
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
        return 0;
    }

    @Command(
            name = "revoke",
            description = "Shut devices out, at all gateways of the run.",
            mixinStandardHelpOptions = true)
    int revoke(
            @Mixin Place place,
            @Parameters(
                            paramLabel = "NAME",
                            arity = "1..*",
                            description = "A device such as w3, or a range such as w0-w9.")
                    List<String> names) {
        return checked(
                () -> {
                    List<AccountEvent.Revoked> events =
                            devices(names).stream().map(AccountEvent.Revoked::new).toList();
                    try (AccountLog log = place.open()) {
                        log.appendAll(events);
                    }
                    out().printf("%d devices are shut out%n", events.size());
                    return 0;
                });
    }

    @Command(
            name = "list",
            description = "List the devices that have a token or an account, or were revoked.",
            mixinStandardHelpOptions = true)
    int list(@Mixin Place place) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("device", "account"));
        try (AccountLog log = place.open()) {
            for (Map.Entry<String, Accounts.State> each : log.accounts().states().entrySet()) {
                String state = each.getValue().name().toLowerCase(Locale.ROOT);
                lines.add(List.of(each.getKey(), state));
            }
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
        Columns.print(out(), lines);
        return 0;
    }

    private static List<String> devices(List<String> names) {
        List<String> devices = KeysCommand.expanded(names);
        devices.forEach(KeyDirectory::worker);
        return devices;
    }
}
