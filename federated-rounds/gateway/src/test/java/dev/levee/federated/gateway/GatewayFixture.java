package dev.levee.federated.gateway;

import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.versions.NewestVersion;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.Frames;
import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.connectors.kafka.wire.SigningKey;
import dev.levee.federated.gateway.account.AccountEvent;
import dev.levee.federated.gateway.account.AccountStore;
import dev.levee.federated.gateway.account.Accounts;
import dev.levee.federated.gateway.account.Secrets;
import dev.levee.federated.gateway.grpc.GrpcFront;
import dev.levee.federated.gateway.http.HttpFront;
import dev.levee.federated.gateway.limit.Limits;
import dev.levee.federated.gateway.metrics.GatewayMetrics;
import dev.levee.federated.gateway.service.Service;
import dev.levee.federated.gateway.service.Tls;
import dev.levee.federated.gateway.topic.Contributions;
import dev.levee.federated.gateway.topic.Models;
import dev.levee.federated.gateway.topic.Sums;
import dev.levee.federated.gateway.topic.TopicWriter;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.SumNotice;
import dev.levee.operators.rounds.securesum.SumMessage;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.serialization.ByteArraySerializer;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A gateway that listens, with its topics in memory: Kafka acknowledges when a test says so. Keys
 * are those of a run with the devices w0 to w3.
 */
public final class GatewayFixture implements AutoCloseable {
    public static final long RUN = 1_795_000_000_000_000L;
    public static final String NAME = "demo";

    /** Sizes of the model's two blocks. */
    public static final int[] LENGTHS = {131_072, 1000};

    /** Nobody but a test of limits meets these. */
    public static final Limits GENEROUS =
            new Limits(
                    1000,
                    1000,
                    1e6,
                    1e6,
                    1 << 30,
                    64 << 20,
                    4096,
                    Duration.ofSeconds(60),
                    Duration.ofMinutes(5),
                    Duration.ofSeconds(60));

    /** Accounts that are stored at once, or not at all. */
    private static final class Memory implements AccountStore {
        private final Accounts accounts = new Accounts();

        @Override
        public Accounts accounts() {
            return accounts;
        }

        @Override
        public CompletableFuture<Accounts.Outcome> append(AccountEvent event) {
            return CompletableFuture.completedFuture(accounts.apply(event, 0));
        }
    }

    private final Path directory;
    private final KeyDirectory keys;
    private final AccountStore accounts = new Memory();
    private Models models = new Models();
    private final AtomicLong nanos = new AtomicLong();
    private final GatewayMetrics metrics = new GatewayMetrics();
    private final boolean acknowledges;
    private MockProducer<byte[], byte[]> topics;
    private final Limits limits;
    private final Tls tls;
    private Sums sums;
    private long told;
    private Service service;
    private HttpFront front;
    private GrpcFront grpc;

    public GatewayFixture(Path directory, boolean acknowledges, Limits limits) throws Exception {
        this(directory, acknowledges, limits, false);
    }

    /**
     * Listens.
     *
     * @param acknowledges whether Kafka acknowledges each record at once
     * @param mutual whether clients show certificates, by {@link Certificates#authority}
     */
    public GatewayFixture(Path directory, boolean acknowledges, Limits limits, boolean mutual)
            throws Exception {
        this.directory = directory;
        this.keys = new KeyDirectory(directory.resolve("keys"));
        if (!Files.exists(keys.path())) {
            keys.generate(KeyDirectory.JOB);
            for (int device = 0; device < 4; device++) {
                keys.generate(KeyDirectory.name(device));
            }
            Certificates.server(directory, keys.path());
        }
        this.acknowledges = acknowledges;
        this.limits = limits;
        this.tls =
                new Tls(
                        directory.resolve("gateway.crt"),
                        directory.resolve("gateway.key"),
                        mutual ? directory.resolve("authority.crt") : null,
                        mutual);
        listen(0, 0);
    }

    private void listen(int httpsPort, int grpcPort) {
        Topics names = new Topics(NAME);
        List<PartitionInfo> partitions = new ArrayList<>();
        for (String topic : List.of(names.gradients(), names.scores())) {
            partitions.add(new PartitionInfo(topic, 0, Node.noNode(), new Node[0], new Node[0]));
        }
        Cluster cluster =
                new Cluster("test", List.of(Node.noNode()), partitions, Set.of(), Set.of());
        topics =
                new MockProducer<>(
                        cluster,
                        acknowledges,
                        new RoundRobinPartitioner(),
                        new ByteArraySerializer(),
                        new ByteArraySerializer());
        sums =
                new Sums(
                        new KafkaAddress("127.0.0.1:9", Map.of()),
                        names,
                        keys.verifying(KeyDirectory.JOB));
        service =
                new Service(
                        new Service.Behind(
                                NAME,
                                accounts,
                                models,
                                sums,
                                new Contributions(keys.workers()),
                                new TopicWriter(names, topics),
                                nanos::get),
                        limits,
                        metrics);
        front = new HttpFront(service, tls, local(httpsPort));
        grpc = new GrpcFront(service, tls, local(grpcPort));
    }

    private static InetSocketAddress local(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** Ends the gateway, and starts another at the same addresses that has read nothing yet. */
    public void restart() {
        int httpsPort = port();
        int grpcPort = grpcPort();
        close();
        models = new Models();
        listen(httpsPort, grpcPort);
    }

    public String address() {
        return "https://127.0.0.1:" + port();
    }

    public int port() {
        return front.port();
    }

    public int grpcPort() {
        return grpc.port();
    }

    public KeyDirectory keys() {
        return keys;
    }

    public Path directory() {
        return directory;
    }

    public GatewayMetrics metrics() {
        return metrics;
    }

    public Accounts accounts() {
        return accounts.accounts();
    }

    public Models models() {
        return models;
    }

    /** What Kafka has been sent by this gateway, not by one before. */
    public MockProducer<byte[], byte[]> topics() {
        return topics;
    }

    /** Advances the gateway's time, which does not advance by itself. */
    public void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    /** Makes a token for a device. */
    public String offer(String device) {
        String token = Secrets.random();
        accounts.append(new AccountEvent.Offered(device, Secrets.hash(token), Long.MAX_VALUE));
        return token;
    }

    /** Makes an account for a device; its secret. */
    public String enroll(String device) {
        String token = Secrets.hash(offer(device));
        String secret = Secrets.random();
        accounts.append(new AccountEvent.Enrolled(device, token, Secrets.hash(secret)));
        return secret;
    }

    public void revoke(String device) {
        accounts.append(new AccountEvent.Revoked(device));
    }

    /** Settings of a round that asks w0 to w2. */
    public static Settings settings(boolean stop) {
        return new Settings(Cohort.first(3), 0, 3, 5, 0.5, stop, false, 0);
    }

    /** Publishes a version whose values are all its number. */
    public NewestVersion.Found publish(long version, boolean stop) {
        List<Frame> frames = new ArrayList<>();
        SigningKey job = keys.signing(KeyDirectory.JOB);
        for (int block = 0; block < LENGTHS.length; block++) {
            float[] values = new float[LENGTHS[block]];
            Arrays.fill(values, version);
            byte[] frame =
                    Frames.of(
                            new ModelBlock(
                                    Header.model(RUN, version, new ShardId(0, block)),
                                    settings(stop),
                                    values),
                            LENGTHS.length,
                            job);
            frames.add(Frame.read(frame).orElseThrow());
        }
        NewestVersion.Found found = new NewestVersion.Found(RUN, version, frames, 0, Map.of());
        models.newest(found);
        return found;
    }

    /** What both doors share. */
    public Service service() {
        return service;
    }

    /** What a device says in the secure sum of a version, signed. */
    public byte[] said(long version, SumMessage.FromDevice message) {
        return Frames.of(RUN, version, message, own(message.device()));
    }

    /** What the job tells devices in the secure sum of a version, on the only partition. */
    public void tell(long version, SumMessage... messages) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (SumMessage message : messages) {
            byte[] frame =
                    Frames.of(
                            RUN,
                            new SumNotice(0, version, message),
                            keys.signing(KeyDirectory.JOB));
            records.add(new ConsumerRecord<>(NAME + ".sums", 0, told++, null, frame));
        }
        sums.take(records);
    }

    /** Bytes of memory that contributions on their way take. */
    public long reserved() {
        return gauge("upload_bytes");
    }

    /** Connections that are open, of both kinds. */
    public long connections() {
        return gauge("connections");
    }

    private long gauge(String name) {
        Matcher gauge =
                Pattern.compile("levee_gateway_" + name + " (\\d+)").matcher(metrics.text());
        if (!gauge.find()) {
            throw new AssertionError(metrics.text());
        }
        return Long.parseLong(gauge.group(1));
    }

    /** A signed block with fewer values than the model has. */
    public byte[] shorter(int device, long version) {
        return frame(device, version, 1, new float[10], own(device));
    }

    /** A device's block of a contribution, signed. */
    public byte[] frame(int device, long version, int block, SigningKey key) {
        float[] values = new float[LENGTHS[block]];
        Arrays.fill(values, device);
        return frame(device, version, block, values, key);
    }

    private static byte[] frame(
            int device, long version, int block, float[] values, SigningKey key) {
        return Frames.of(
                new GradientBlock(
                        Header.gradient(RUN, version, version, device, new ShardId(0, block)),
                        1,
                        0.5,
                        1,
                        2,
                        values),
                LENGTHS.length,
                key);
    }

    /** The same, as an honest device signs it. */
    public byte[] frame(int device, long version, int block) {
        return frame(device, version, block, own(device));
    }

    private SigningKey own(int device) {
        return keys.signing(KeyDirectory.name(device)).towards(keys.verifying(KeyDirectory.JOB));
    }

    @Override
    public void close() {
        grpc.close();
        front.close();
        service.close();
        sums.close();
    }
}
