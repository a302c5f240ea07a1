package dev.levee.benchmarks.kafka;

import dev.levee.benchmarks.Machine;
import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.KafkaAdmin;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.wire.Frames;
import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.federated.gateway.account.AccountEvent;
import dev.levee.federated.gateway.account.AccountLog;
import dev.levee.federated.gateway.account.Secrets;
import dev.levee.jobs.cluster.LocalKafka;
import dev.levee.jobs.internal.cluster.LauncherCommand;
import dev.levee.jobs.internal.cluster.LeveeHome;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;

import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Measures many devices at one gateway. All connect and wait. Then, in each round, all are told of
 * a version, download it and upload a contribution. Prints how long that takes, and the memory of
 * the gateway's process. Broker, gateway and devices share the machine. A round ends when Kafka has
 * acknowledged every contribution.
 */
public final class GatewayCrowd {
    private static final String RUN = "crowd";
    private static final long RUN_ID = 1_795_000_000_000_000L;
    private static final char[] PASSWORD = "password".toCharArray();
    private static final String SECRET = Secrets.random();
    private static final int HANDSHAKES = 64;
    private static final Pattern ADDRESS = Pattern.compile("https://127.0.0.1:\\d+");
    private static final Pattern FIGURES = Pattern.compile("http://127.0.0.1:\\d+/metrics");
    private static final Pattern WAITING =
            Pattern.compile("levee_gateway_waiting_for_models (\\d+)");
    private static final Pattern ID = Pattern.compile("\"id\":\"([0-9-]+)\"");

    private final int devices;
    private final int values;
    private final HttpClient client;
    private final String gateway;
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();

    private GatewayCrowd(int devices, int values, HttpClient client, String gateway) {
        this.devices = devices;
        this.values = values;
        this.client = client;
        this.gateway = gateway;
    }

    /** Arguments: devices (10000), values of the model (7850), rounds (3), heap (1g). */
    public static void main(String[] arguments) throws Exception {
        int devices = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10_000;
        int values = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 7850;
        int rounds = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 3;
        String heap = arguments.length > 3 ? arguments[3] : "1g";
        Machine.print();
        Path directory = Files.createTempDirectory("crowd");
        SSLContext tls = certificate(directory);
        try (LocalKafka broker =
                LocalKafka.start(new LocalKafka.Options(directory.resolve("kafka"), 0, Map.of()))) {
            KafkaAddress kafka = new KafkaAddress(broker.bootstrapServers(), Map.of());
            Topics topics = new Topics(RUN);
            try (KafkaAdmin admin = KafkaAdmin.connect(kafka)) {
                admin.create(
                        List.of(
                                new NewTopic(topics.models(), 1, (short) 1),
                                new NewTopic(topics.gradients(), 1, (short) 1)));
            }
            accounts(kafka, topics, devices);
            Path said = directory.resolve("gateway.out");
            Process process = gateway(directory, said, broker.bootstrapServers(), heap, devices);
            try (Producer<byte[], byte[]> job = job(kafka)) {
                String address = await(said, ADDRESS);
                URI figures = URI.create(await(said, FIGURES));
                HttpClient client = HttpClient.newBuilder().sslContext(tls).build();
                GatewayCrowd crowd = new GatewayCrowd(devices, values, client, address);
                crowd.publish(job, topics, 0);
                long began = System.nanoTime();
                crowd.connect();
                crowd.awaitWaiting(figures);
                System.out.printf(
                        "of %,d devices nine in ten wait after %.1f s; gateway: %s%n",
                        devices, seconds(began), memory(process));
                for (int version = 1; version <= rounds; version++) {
                    began = System.nanoTime();
                    crowd.publish(job, topics, version);
                    crowd.awaitAcknowledged(version * devices);
                    System.out.printf(
                            "round %d: %,d contributions of %,d values acknowledged in %.1f s,"
                                    + " %d requests tried again; gateway: %s%n",
                            version,
                            devices,
                            values,
                            seconds(began),
                            crowd.failed.get(),
                            memory(process));
                }
                System.out.println(figures(figures));
            } finally {
                process.destroyForcibly().waitFor();
            }
        }
        System.exit(0); // the client's connections would keep this process alive
    }

    private static double seconds(long began) {
        return (System.nanoTime() - began) / 1e9;
    }

    private static SSLContext certificate(Path directory) throws Exception {
        Path store = directory.resolve("gateway.p12");
        new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/keytool").toString(),
                        "-genkeypair",
                        "-alias",
                        "gateway",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=gateway",
                        "-ext",
                        "SAN=ip:127.0.0.1",
                        "-keystore",
                        store.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD))
                .inheritIO()
                .start()
                .waitFor();
        KeyStore own = KeyStore.getInstance(store.toFile(), PASSWORD);
        pem(
                directory.resolve("gateway.pem"),
                "CERTIFICATE",
                own.getCertificate("gateway").getEncoded());
        pem(
                directory.resolve("gateway.key"),
                "PRIVATE KEY",
                own.getKey("gateway", PASSWORD).getEncoded());
        KeyStore believed = KeyStore.getInstance("PKCS12");
        believed.load(null, null);
        believed.setCertificateEntry("gateway", own.getCertificate("gateway"));
        TrustManagerFactory trust =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(believed);
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private static void pem(Path file, String type, byte[] encoded) throws IOException {
        Files.writeString(
                file,
                "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n"
                        .formatted(type, Base64.getMimeEncoder().encodeToString(encoded)));
    }

    /** Creates an account for each device, all with the same secret. */
    private static void accounts(KafkaAddress kafka, Topics topics, int devices) {
        List<AccountEvent> events = new ArrayList<>();
        for (int device = 0; device < devices; device++) {
            String name = KeyDirectory.name(device);
            String token = Secrets.hash(name);
            events.add(new AccountEvent.Offered(name, token, Long.MAX_VALUE));
            events.add(new AccountEvent.Enrolled(name, token, Secrets.hash(SECRET)));
        }
        try (AccountLog log = AccountLog.open(kafka, topics)) {
            log.appendAll(events);
        }
    }

    private static Process gateway(
            Path directory, Path said, String bootstrapServers, String heap, int devices)
            throws IOException {
        List<String> arguments =
                List.of(
                        "gateway",
                        "--listen=127.0.0.1:0",
                        "--bootstrap-servers=" + bootstrapServers,
                        "--run=" + RUN,
                        "--unsigned",
                        "--metrics-port=0",
                        "--certificate=" + directory.resolve("gateway.pem"),
                        "--certificate-key=" + directory.resolve("gateway.key"),
                        "--connections=" + 2 * devices,
                        "--connections-per-address=" + 2 * devices,
                        "--patience=1min",
                        "--address-requests-per-second=1000000");
        return new ProcessBuilder(
                        LauncherCommand.of(
                                LeveeHome.find(), List.of("-Xmx" + heap), List.of(), arguments))
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
    }

    private static String await(Path said, Pattern what) throws Exception {
        while (true) {
            Matcher found = what.matcher(Files.readString(said));
            if (found.find()) {
                return found.group();
            }
            Thread.sleep(100);
        }
    }

    private static Producer<byte[], byte[]> job(KafkaAddress kafka) {
        Properties properties = kafka.properties();
        properties.setProperty("transactional.id", RUN);
        Producer<byte[], byte[]> job =
                new KafkaProducer<>(
                        properties, new ByteArraySerializer(), new ByteArraySerializer());
        job.initTransactions();
        return job;
    }

    private void publish(Producer<byte[], byte[]> job, Topics topics, long version) {
        Settings settings =
                new Settings(Cohort.first(devices), 0, devices, 1, 0.1, false, false, 0);
        byte[] frame =
                Frames.of(
                        new ModelBlock(
                                Header.model(RUN_ID, version, new ShardId(0, 0)),
                                settings,
                                new float[values]),
                        1,
                        null);
        job.beginTransaction();
        job.send(new ProducerRecord<>(topics.models(), 0, new byte[4], frame));
        job.commitTransaction();
    }

    private void connect() throws InterruptedException {
        Semaphore handshakes = new Semaphore(HANDSHAKES);
        for (int device = 0; device < devices; device++) {
            handshakes.acquire();
            String own = KeyDirectory.name(device);
            int number = device;
            send(get(own, "models/newest"))
                    .thenAccept(
                            answer -> {
                                handshakes.release();
                                follow(number, "0-0");
                            });
        }
    }

    /**
     * Simulates a device: waits for a version newer than {@code seen}, answers it, and waits again.
     */
    private void follow(int device, String seen) {
        String name = KeyDirectory.name(device);
        String after = seen.equals("0-0") ? RUN_ID + "-0" : seen;
        send(get(name, "models/newest?wait=60&after=" + after))
                .thenAccept(
                        news -> {
                            Matcher id =
                                    ID.matcher(new String(news.body(), StandardCharsets.UTF_8));
                            if (news.statusCode() != 200 || !id.find()) {
                                follow(device, seen);
                                return;
                            }
                            work(device, name, id.group(1));
                        });
    }

    private void work(int device, String name, String id) {
        send(get(name, "models/" + id))
                .thenCompose(
                        model ->
                                send(
                                        request(name, "contributions/" + id + "/0")
                                                .PUT(BodyPublishers.ofByteArray(frame(device, id)))
                                                .build()))
                .thenAccept(
                        done -> {
                            if (done.statusCode() == 204) {
                                acknowledged.incrementAndGet();
                                follow(device, id);
                            } else {
                                failed.incrementAndGet();
                                work(device, name, id);
                            }
                        });
    }

    private byte[] frame(int device, String id) {
        long version = Long.parseLong(id.substring(id.indexOf('-') + 1));
        Header header = Header.gradient(RUN_ID, version, version, device, new ShardId(0, 0));
        return Frames.of(new GradientBlock(header, 0.5, 1, 2, new float[values]), 1, null);
    }

    private HttpRequest.Builder request(String device, String path) {
        return HttpRequest.newBuilder(URI.create(gateway + "/v1/runs/" + RUN + "/" + path))
                .version(HttpClient.Version.HTTP_1_1)
                .timeout(Duration.ofMinutes(5))
                .header("Authorization", "Bearer " + device + "." + SECRET);
    }

    private HttpRequest get(String device, String path) {
        return request(device, path).GET().build();
    }

    /** Sends a request until it is answered. */
    private CompletableFuture<HttpResponse<byte[]>> send(HttpRequest request) {
        return client.sendAsync(request, BodyHandlers.ofByteArray())
                .exceptionallyCompose(
                        failure -> {
                            failed.incrementAndGet();
                            return send(request);
                        });
    }

    /**
     * Waits until the devices wait. Waiting requests end after a minute and are repeated, so a few
     * are always in flight.
     */
    private void awaitWaiting(URI figures) throws Exception {
        while (true) {
            Matcher waiting = WAITING.matcher(figures(figures));
            if (waiting.find() && Integer.parseInt(waiting.group(1)) >= 0.9 * devices) {
                return;
            }
            Thread.sleep(200);
        }
    }

    private void awaitAcknowledged(int wanted) throws InterruptedException {
        while (acknowledged.get() < wanted) {
            Thread.sleep(20);
        }
    }

    private static String figures(URI address) throws IOException {
        try (InputStream in = address.toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#") && !line.endsWith(" 0"))
                    .reduce("", (all, line) -> all + line + "\n");
        }
    }

    private static String memory(Process process) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
                .filter(line -> line.startsWith("VmHWM") || line.startsWith("VmRSS"))
                .map(line -> line.replaceAll("\\s+", " "))
                .reduce("", (all, line) -> all + " " + line);
    }
}
