package dev.levee.jobs.internal.config;

import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.connectors.kafka.worker.Connection;
import dev.levee.connectors.kafka.worker.KafkaConnection;
import dev.levee.connectors.kafka.worker.TrustedServers;
import dev.levee.federated.gateway.device.DeviceFiles;
import dev.levee.federated.gateway.device.GatewayConnection;
import dev.levee.jobs.internal.config.setting.Setting;
import dev.levee.jobs.internal.config.setting.SettingsTable;
import dev.levee.jobs.internal.config.setting.Values;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** The settings of a process with one or more workers. */
public record WorkerConfig(
        @Setting(
                        group = "Worker",
                        label = "NAME",
                        help = "Id of the worker, such as w0. Either this or --ids is required.")
                String id,
        @Setting(
                        label = "RANGE",
                        help = "Several workers in this process, such as w0-w9 or w0,w4-w6.")
                String ids,
        @Setting(
                        label = "TIME",
                        fallback = "30s",
                        help = "How long to wait for a newer model before sending an answer again.")
                Duration resendAfter,
        @Setting(
                        label = "FILE",
                        help =
                                "File for the state that a restarted worker needs to continue as"
                                        + " if it had not stopped. Several workers have a file"
                                        + " each, FILE.w0, and with gradients per server one per"
                                        + " server, FILE.s0.")
                String state,
        @Setting(
                        label = "TIME",
                        derived = "none",
                        help = "Delay before each answer, to simulate slow workers.")
                Duration delay,
        @Setting(
                        group = "Servers",
                        label = "N",
                        fallback = "1",
                        range = "[1, 1000]",
                        help = "Servers of the run (serve --servers).")
                int servers,
        @Setting(
                        label = "F",
                        fallback = "0",
                        range = "[0, 1000]",
                        help = "Servers that may be Byzantine, as set for the job.")
                int byzantineServers,
        @Setting(
                        label = "TIME",
                        fallback = "2s",
                        help =
                                "How long to wait for a server that has not published a version"
                                        + " that others have.")
                Duration serverTimeout,
        @Setting(
                        label = "CHOICE",
                        fallback = "aggregate",
                        help = "As set for the job: aggregate or per-server.")
                ModelReading workerModels,
        @Setting(
                        group = "Worker",
                        label = "",
                        help =
                                "Exit if the job asks for contributions that a secure sum does not"
                                        + " mask.")
                boolean secureSum,
        @Setting(
                        group = "Gateway",
                        label = "URL",
                        help =
                                "Address of a gateway (levee gateway) to use instead of Kafka,"
                                        + " such as https://gateway.example:8443, or"
                                        + " grpcs://gateway.example:8444 for gRPC. Needs --state."
                                        + " The directory of --keys also has an enrollment token,"
                                        + " such as w3.token, and the certificates of gateways,"
                                        + " gateway.pem.")
                String gateway) {

    /**
     * Maximum number of workers of a process, because each has a connection and threads of its own.
     */
    private static final int MOST = 1000;

    /** The settings of a worker, whose gradients are never masked. */
    public static final SettingsTable<WorkerConfig> SETTINGS = all().fixing("secure-sum", "false");

    /** The settings of a device, whose run has one server. */
    public static final SettingsTable<WorkerConfig> DEVICE =
            all().fixing("servers", "1")
                    .fixing("byzantine-servers", "0")
                    .fixing("server-timeout", "2s")
                    .fixing("worker-models", "aggregate");

    private static SettingsTable<WorkerConfig> all() {
        return SettingsTable.of(WorkerConfig.class);
    }

    /** Fills in missing values. */
    public WorkerConfig {
        delay = delay == null ? Duration.ZERO : delay;
    }

    /**
     * The workers' names, in the order given.
     *
     * @throws IllegalArgumentException if no name is given, or one is given twice; one sentence
     */
    public List<String> names() {
        if (id != null && ids != null) {
            throw new IllegalArgumentException(
                    "--id and --ids exclude each other; give one of them");
        }
        if (ids == null) {
            if (id == null) {
                throw new IllegalArgumentException("--id is required, such as --id w3");
            }
            Values.named("--id", () -> KeyDirectory.worker(id));
            return List.of(id);
        }
        Set<String> names = new LinkedHashSet<>();
        for (String range : ids.split(",", -1)) {
            String[] ends = range.strip().split("-", -1);
            int first = number(ends[0]);
            int last = ends.length == 2 ? number(ends[1]) : first;
            if (ends.length > 2 || last < first || last - first >= MOST) {
                throw new IllegalArgumentException(
                        "--ids must be names and ranges of at most %d workers such as w0-w9, got %s"
                                .formatted(MOST, range));
            }
            for (int number = first; number <= last; number++) {
                if (!names.add("w" + number)) {
                    throw new IllegalArgumentException("--ids names w%d twice".formatted(number));
                }
            }
        }
        return List.copyOf(names);
    }

    /**
     * The groups of servers whose models lead to a gradient each: one group of all servers, or a
     * group for each server.
     *
     * @throws IllegalArgumentException if honest servers would not outnumber Byzantine ones, or a
     *     key is missing; one sentence
     */
    public List<TrustedServers> servers(KafkaConfig kafka) {
        // Honest servers must outnumber Byzantine ones.
        if (byzantineServers > 0 && servers <= 2 * byzantineServers) {
            throw new IllegalArgumentException(
                    "--byzantine-servers %d needs --servers of at least %d, got %d"
                            .formatted(byzantineServers, 2 * byzantineServers + 1, servers));
        }
        boolean each = workerModels == ModelReading.PER_SERVER;
        if (each && servers == 1) {
            throw new IllegalArgumentException(
                    "--worker-models per-server needs --servers of at least 2");
        }
        TrustedServers all =
                new TrustedServers(kafka.ring(servers), byzantineServers, serverTimeout);
        return each ? IntStream.range(0, servers).mapToObj(all::only).toList() : List.of(all);
    }

    /**
     * Creates the connection of a worker to its run.
     *
     * @param name one of {@link #names}
     * @throws IllegalArgumentException if the gateway's address or a file is wrong; one sentence
     */
    public Connection connection(KafkaConfig kafka, String name) {
        return gateway == null
                ? new KafkaConnection(kafka.address(), kafka.topics())
                : new GatewayConnection(
                        gateway, kafka.run(), new DeviceFiles(kafka.directory().path(), name));
    }

    /**
     * Checks the settings of the connection without connecting.
     *
     * @throws IllegalArgumentException if something is wrong; one sentence
     */
    public void check(KafkaConfig kafka) {
        if (gateway == null) {
            kafka.check();
            return;
        }
        GatewayConnection.address(gateway);
        kafka.checkBehindGateway();
        if (state == null) {
            throw new IllegalArgumentException(
                    "--gateway needs --state: a gateway does not return a worker's earlier answers");
        }
        if (servers > 1) {
            throw new IllegalArgumentException(
                    "--gateway is for runs with one server, got --servers " + servers);
        }
    }

    private static int number(String name) {
        return Values.named("--ids", () -> KeyDirectory.worker(name.strip()));
    }

    /**
     * The state file of a worker, null if it has none.
     *
     * @param name one of {@link #names}
     * @param server the server that this state is for, {@link TrustedServers#ALL} for all servers
     */
    public Path state(String name, int server) {
        if (state == null) {
            return null;
        }
        String own = ids == null ? state : state + "." + name;
        return Path.of(
                server == TrustedServers.ALL ? own : own + "." + KeyDirectory.serverName(server));
    }
}
