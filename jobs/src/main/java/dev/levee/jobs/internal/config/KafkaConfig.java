package dev.levee.jobs.internal.config;

import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.job.Evaluator;
import dev.levee.connectors.kafka.job.RunKeys;
import dev.levee.connectors.kafka.job.TopicPlan;
import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.connectors.kafka.wire.ServerRing;
import dev.levee.connectors.kafka.wire.SigningKey;
import dev.levee.connectors.kafka.wire.VerifyingKey;
import dev.levee.jobs.internal.config.setting.Setting;
import dev.levee.jobs.internal.config.setting.SettingsTable;
import dev.levee.jobs.internal.config.setting.Values;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** The topics of a run, and the keys of those who write to them. */
public record KafkaConfig(
        @Setting(
                        group = "Kafka",
                        label = "HOST:PORT",
                        help = "Kafka brokers to connect to first, separated by commas. Required.")
                String bootstrapServers,
        @Setting(
                        label = "FILE",
                        help =
                                "Properties file for the Kafka clients, such as TLS and SASL"
                                        + " settings.")
                String kafkaConfig,
        @Setting(
                        label = "NAME",
                        fallback = "levee",
                        help =
                                "Name of the run; its topics are NAME.models, NAME.gradients,"
                                        + " NAME.states and, in some runs, NAME.scores, NAME.sums"
                                        + " and NAME.devices.")
                String run,
        @Setting(
                        label = "DIR",
                        fallback = "keys",
                        help =
                                "Directory of the keys: job.key, w0.pub, w1.pub, … and, with "
                                        + "several servers, s0.key, s0.pub, …")
                String keys,
        @Setting(
                        label = "",
                        help =
                                "Run without keys: anyone who can write to the topic can "
                                        + "send as any worker.")
                boolean unsigned,
        @Setting(
                        label = "N",
                        derived = "blocks of the model, at most 8",
                        range = "[1, 128]",
                        help = "Partitions of each topic that is created.")
                Integer partitions,
        @Setting(
                        label = "N",
                        derived = "the brokers' default",
                        range = "[1, 100]",
                        help = "Replication factor of each topic that is created.")
                Integer replication,
        @Setting(
                        label = "NAME",
                        derived = "none, or that of --kafka-config",
                        help = "Compression of models: none, lz4, zstd, snappy or gzip.")
                Compression compression,
        @Setting(
                        label = "TIME",
                        fallback = "10min",
                        help = "How long a topic that is created keeps gradients.")
                Duration gradientRetention,
        @Setting(
                        label = "WORKER",
                        help =
                                "Worker that evaluates the model of a run with --initial, such as"
                                        + " w0. Its figures do not affect the run.")
                String evaluator,
        @Setting(
                        label = "TIME",
                        fallback = "1min",
                        help = "How long a finished run waits for the --evaluator.")
                Duration evaluatorTimeout) {

    /** How a producer compresses records. */
    public enum Compression {
        NONE,
        LZ4,
        ZSTD,
        SNAPPY,
        GZIP;

        /** Kafka's name for it. */
        String kafkaName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** All settings of this record. */
    public static final SettingsTable<KafkaConfig> SETTINGS = SettingsTable.of(KafkaConfig.class);

    /** The settings of a command that only reads. */
    public static final SettingsTable<KafkaConfig> READING =
            SETTINGS.without("partitions", "replication")
                    .fixing("compression", "none")
                    .fixing("gradient-retention", "10min")
                    .without("evaluator")
                    .fixing("evaluator-timeout", "1min");

    /** The settings of a federated run, which is over Kafka if brokers are given. */
    public static final SettingsTable<KafkaConfig> FEDERATING =
            SETTINGS.without("evaluator")
                    .fixing("evaluator-timeout", "1min")
                    .offering(
                            "bootstrap-servers",
                            "",
                            "Kafka brokers to connect to first, separated by commas. Devices are"
                                    + " then processes (levee device).")
                    .offering(
                            "keys",
                            "keys",
                            "Directory of the keys: job.key and the devices' w0.pub, w1.pub, "
                                    + "…")
                    .offering(
                            "unsigned",
                            "",
                            "Run without keys: anyone who can write to the topic can send as "
                                    + "any device.");

    /** The settings of a gateway. */
    public static final SettingsTable<KafkaConfig> PASSING =
            READING.offering(
                    "keys",
                    "keys",
                    "Directory of the public keys: the job's, job.pub, and the devices', w0.pub, "
                            + "w1.pub, …");

    /** The settings of a worker. */
    public static final SettingsTable<KafkaConfig> WORKING =
            READING.offering(
                    "keys",
                    "keys",
                    "Directory of the keys: the worker's own, such as w3.key, the job's, "
                            + "job.pub, and those of several servers, s0.pub, s1.pub, …");

    /**
     * Checks the settings as far as possible without a broker.
     *
     * @throws IllegalArgumentException if something is wrong; one sentence
     */
    public void check() {
        address();
        checkRun();
    }

    /**
     * Checks the settings of a process that connects to a gateway instead of a broker.
     *
     * @throws IllegalArgumentException if something is wrong; one sentence
     */
    public void checkBehindGateway() {
        if (bootstrapServers != null || kafkaConfig != null) {
            throw new IllegalArgumentException(
                    "--gateway takes the place of --bootstrap-servers and --kafka-config: leave them"
                            + " out");
        }
        checkRun();
    }

    private void checkRun() {
        topics();
        whoEvaluates();
    }

    /**
     * The worker that evaluates.
     *
     * @throws IllegalArgumentException if the value is no worker's name; one sentence
     */
    public Evaluator whoEvaluates() {
        return evaluator == null || evaluator.isBlank()
                ? Evaluator.NONE
                : Values.named(
                        "--evaluator",
                        () -> new Evaluator(KeyDirectory.worker(evaluator), evaluatorTimeout));
    }

    /**
     * The brokers and the properties of clients.
     *
     * @throws IllegalArgumentException if these are missing or not readable; one sentence
     */
    public KafkaAddress address() {
        if (bootstrapServers == null) {
            throw new IllegalArgumentException(
                    "--bootstrap-servers is needed: host:port of a Kafka broker, such as"
                            + " 127.0.0.1:9092 after levee kafka start");
        }
        return new KafkaAddress(bootstrapServers, kafkaConfig == null ? Map.of() : properties());
    }

    /** The same, with compression, for a process that sends models. */
    public KafkaAddress publisher() {
        KafkaAddress address = address();
        Map<String, String> client = new TreeMap<>(address.client());
        if (compression != null) {
            client.put("compression.type", compression.kafkaName());
        }
        return new KafkaAddress(bootstrapServers, client);
    }

    private Map<String, String> properties() {
        Properties properties = new Properties();
        try (Reader file = Files.newBufferedReader(Path.of(kafkaConfig))) {
            properties.load(file);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException(
                    "--kafka-config " + kafkaConfig + " does not exist", e);
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "--kafka-config " + kafkaConfig + " is not a properties file: " + e, e);
        }
        Map<String, String> client = new TreeMap<>();
        properties.stringPropertyNames().forEach(k -> client.put(k, properties.getProperty(k)));
        return client;
    }

    /**
     * The run's topics.
     *
     * @throws IllegalArgumentException if the run's name is invalid; one sentence
     */
    public Topics topics() {
        return Values.named("--run", () -> new Topics(run));
    }

    /** The plan by which topics are created. */
    public TopicPlan plan() {
        short copies = replication == null ? -1 : replication.shortValue();
        return new TopicPlan(partitions, copies, gradientRetention);
    }

    /**
     * The keys of the job, of workers 0 to n − 1, of the evaluator and of several servers.
     *
     * @throws IllegalArgumentException if a key is missing; one sentence
     */
    public RunKeys keys(int workers, int servers) {
        return unsigned
                ? RunKeys.NONE
                : RunKeys.of(directory(), workers, whoEvaluates().worker(), servers);
    }

    /**
     * The servers of a run, with their keys.
     *
     * @throws IllegalArgumentException if a key is missing or invalid; one sentence
     */
    public ServerRing ring(int servers) {
        return unsigned
                ? ServerRing.open(servers)
                : new ServerRing(jobKey(), RunKeys.serverRing(directory(), servers));
    }

    /**
     * The job's public key, null in a run without keys.
     *
     * @throws IllegalArgumentException if the key is missing or invalid; one sentence
     */
    public VerifyingKey jobKey() {
        if (unsigned) {
            return null;
        }
        if (!Files.exists(directory().publicFile(KeyDirectory.JOB))) {
            throw new IllegalArgumentException(
                    ("--keys %s has no job.pub, which verifies versions; --unsigned skips "
                                    + "verification")
                            .formatted(keys));
        }
        return directory().verifying(KeyDirectory.JOB);
    }

    /**
     * The private key of a worker, null in a run without keys.
     *
     * @throws IllegalArgumentException if the key is missing or invalid; one sentence
     */
    public SigningKey workerKey(String name) {
        if (unsigned) {
            return null;
        }
        if (!Files.exists(directory().secretFile(name))) {
            throw new IllegalArgumentException(
                    ("--keys %1$s has no %2$s.key; create it with levee keys generate %2$s, "
                                    + "or run without keys with --unsigned")
                            .formatted(keys, name));
        }
        return directory().signing(name);
    }

    public KeyDirectory directory() {
        return new KeyDirectory(Path.of(keys));
    }
}
