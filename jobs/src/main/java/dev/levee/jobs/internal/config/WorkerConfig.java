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

/** Which worker a process is, or which it has, and how they go about it. */
public record WorkerConfig(
        @Setting(
                        group = "Worker",
                        label = "NAME",
                        help =
                                "Id of the worker, from w0 to one below the number of "
                                        + "workers. Either this or --ids is required.")
                String id,
        @Setting(
                        label = "RANGE",
                        help = "Several workers in this process, such as w0-w9 or w0,w4-w6.")
                String ids,
        @Setting(
                        label = "TIME",
                        fallback = "30s",
                        help =
                                "Time after which an answer is sent again if there is no "
                                        + "newer model.")
                Duration resendAfter,
        @Setting(
                        label = "FILE",
                        help =
                                "File for the state that a restarted worker needs to continue as "
                                        + "if it had not stopped. Without it, the worker recovers "
                                        + "only its answer to the newest model, from the topic. "
                                        + "With several workers, each has its own file, FILE.w0, "
                                        + "and with gradients per server, one per server, FILE.s0.")
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
                        help =
                                "Number of servers of the run (serve --servers). The worker "
                                        + "combines their models by the run's --server-aggregator. "
                                        + "Each server signs with its own key: s0.pub, s1.pub, …")
                int servers,
        @Setting(
                        label = "F",
                        fallback = "0",
                        range = "[0, 1000]",
                        help =
                                "Number of servers that may be Byzantine, as set for the "
                                        + "job; what only that many servers say is not believed.")
                int byzantineServers,
        @Setting(
                        label = "TIME",
                        fallback = "2s",
                        help =
                                "How long to wait for a server that has not published a version "
                                        + "that others have; then the worker continues without it.")
                Duration serverTimeout,
        @Setting(
                        label = "CHOICE",
                        fallback = "aggregate",
                        help =
                                "As set for the job: aggregate answers all servers with one "
                                        + "gradient on their combined models; per-server answers each "
                                        + "server with a gradient on its own model.")
                ModelReading workerModels,
        @Setting(
                        group = "Worker",
                        label = "",
                        help =
                                "Send only contributions masked by a secure sum (federate "
                                        + "--secure-sum), and exit if the job asks for unmasked ones.")
                boolean secureSum,
        @Setting(
                        group = "Gateway",
                        label = "URL",
                        help =
                                "Address of a gateway (levee gateway) to use instead of Kafka, "
                                        + "such as https://gateway.example:8443. Needs --state. "
                                        + "--keys also has an enrolment token, such as w3.token, and "
                                        + "the certificates of gateways, gateway.pem.")
                String gateway) {

    /** Each has a connection and threads of its own. */
    private static final int MOST = 1000;

    /** Those of a worker, whose gradients are never hidden. */
    public static final SettingsTable<WorkerConfig> SETTINGS = all().fixing("secure-sum", "false");

    /** Those of a device, whose run has one server. */
    public static final SettingsTable<WorkerConfig> DEVICE =
            all().fixing("servers", "1")
                    .fixing("byzantine-servers", "0")
                    .fixing("server-timeout", "2s")
                    .fixing("worker-models", "aggregate");

    private static SettingsTable<WorkerConfig> all() {
        return SettingsTable.of(WorkerConfig.class);
    }

    /** Fills in what was left out. */
    public WorkerConfig {
        delay = delay == null ? Duration.ZERO : delay;
    }

    /**
     * The workers' names, in the order given.
     *
     * @throws IllegalArgumentException if there are none, or one is given twice; one sentence
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
     * Whose models it reads: all servers', for one gradient or, as often as there are servers, for
     * one gradient each.
     *
     * @throws IllegalArgumentException if so many servers cannot be told from so many that lie, or
     *     a key is missing; one sentence
     */
    public List<TrustedServers> servers(KafkaConfig kafka) {
        // Who says what an honest one says must be one more than can lie.
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
     * How a worker reaches its run.
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
     * Checks how it reaches its run; asks nobody.
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
                    "--gateway needs --state: a worker cannot read through a gateway what it has"
                            + " answered");
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
     * Where a worker keeps what it has to remember, null if nowhere.
     *
     * @param name one of {@link #names}
     * @param server the one that it answers there, {@link TrustedServers#ALL} if all are
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
